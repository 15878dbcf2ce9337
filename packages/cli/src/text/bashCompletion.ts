import type { Completable, Values } from "./completable.js";
import { shellWord } from "./shellWord.js";

/**
 * A script for bash, of version 3.2 (macOS) or later. Where the function offers nothing, bash completes files by itself; only version 4 lets it be told that
 * no file is wanted.
 */
export function bashCompletion(commands: readonly Completable[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `_tsallis() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" command='' words='' files='' file i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
      ${paths.map(shellWord).join(" | ")}) command="$command \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command $before" in
${commands.flatMap(optionCases).join("\n")}
    *)
      case "$command" in
${commands.map(commandCase).join("\n")}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ -z $files ]]; then
    compopt +o default 2> /dev/null
  elif [[ -n $words ]]; then
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$word")
    compopt -o filenames 2> /dev/null
  fi
  return 0
}
complete -o default -F _tsallis tsallis
`;
}

function optionCases({ path, options }: Completable): string[] {
  return options.flatMap(({ flags, values }) =>
    values === null ? [] : [`    ${flags.map((flag) => shellWord(`${path} ${flag}`)).join(" | ")}) ${assignments(values)} ;;`],
  );
}

function commandCase({ path, commands, options, values }: Completable): string {
  const flags = options.flatMap((option) => option.flags);
  const words = [...commands.map(({ name }) => name), ...values.words];
  // Where nothing else can follow, the options are offered at once.
  const offered = words.length === 0 && !values.files ? flags : words;
  return `        ${shellWord(path)})
          if [[ $word == -* ]]; then words=${shellWord(flags.join(" "))}; else ${assignments({ words: offered, files: values.files })}; fi
          ;;`;
}

function assignments({ words, files }: Values): string {
  return `words=${shellWord(words.join(" "))} files=${files ? "yes" : "''"}`;
}
