import type { Completable, Values } from "./completable.js";
import { shellWord } from "./shellWord.js";

/** A script for zsh, to be sourced or put into a folder of fpath as _tsallis. */
export function zshCompletion(commands: readonly Completable[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `#compdef tsallis
_tsallis() {
  local command='' i
  for ((i = 2; i < CURRENT; i++)); do
    case "$command $words[i]" in
      ${paths.map(shellWord).join(" | ")}) command="$command $words[i]" ;;
    esac
  done
  local -a options commands
  case "$command $words[CURRENT-1]" in
${commands.flatMap(optionCases).join("\n")}
  esac
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
}
if [[ $funcstack[1] == _tsallis ]]; then _tsallis "$@"; else compdef _tsallis tsallis; fi
`;
}

function optionCases({ path, options }: Completable): string[] {
  return options.flatMap(({ flags, values }) =>
    values === null ? [] : [`    ${flags.map((flag) => shellWord(`${path} ${flag}`)).join(" | ")}) ${offers(values).join("; ") || ":"}; return ;;`],
  );
}

function commandCase({ path, commands, options, values }: Completable): string {
  const flags = options.flatMap((option) => option.flags.map((flag) => described(flag, option.description)));
  const names = commands.map(({ name, summary }) => described(name, summary));
  const others = [...(names.length > 0 ? [`commands=(${names.join(" ")})`, "_describe command commands"] : []), ...offers(values)];
  // Where nothing else can follow, the options are offered at once.
  const offered = others.length === 0 ? ["_describe -o option options"] : others;
  return `    ${shellWord(path)})
      options=(${flags.join(" ")})
      if [[ $words[CURRENT] == -* ]]; then _describe -o option options; else ${offered.join("; ")}; fi
      ;;`;
}

function offers({ words, files }: Values): string[] {
  return [...(words.length > 0 ? [`compadd -- ${words.map(shellWord).join(" ")}`] : []), ...(files ? ["_files"] : [])];
}

function described(name: string, description: string): string {
  return shellWord(`${name.replaceAll(":", "\\:")}:${description}`);
}
