import type { Command } from "@commander-js/extra-typings";
import { shellWord } from "./terminal.js";

/** What may follow on a command line. */
interface Values {
  readonly words: readonly string[];
  /** Whether files and folders are among them. */
  readonly files: boolean;
}

/** A command as a shell completes it. */
interface Completable {
  /** "" for the program itself, " run", " keys add". */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletableOption[];
  /** What its arguments may be. */
  readonly values: Values;
}

interface CompletableOption {
  /** "--policy", and "-h" where there is a short one. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Null if the option takes no value. */
  readonly values: Values | null;
}

/** The names that are completed. */
interface CompletedNames {
  readonly experiments: readonly string[];
  readonly policies: readonly string[];
}

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** The script with which a shell completes the program and all its commands. */
export function completionScript(shell: "bash" | "zsh" | "fish", program: Command, names: CompletedNames): string {
  return SCRIPTS[shell](completables(program, names));
}

/** The program and all its commands. */
function completables(program: Command, names: CompletedNames): Completable[] {
  const within = (command: Command, path: string): Completable[] => {
    const help = command.createHelp();
    const visible = help.visibleCommands(command);
    // Each group has a help of its own; that of the program will do.
    const commands = path === "" ? visible : visible.filter((each) => each.name() !== "help");
    return [
      {
        path,
        commands: commands.map((each) => ({ name: each.name(), summary: each.summary() || each.description() })),
        options: help.visibleOptions(command).map(({ short, long, description, required, optional, argChoices, flags }) => ({
          flags: [long, short].filter((flag) => flag !== undefined),
          description,
          values: required || optional ? valuesOf(flags.replace(/.*[<[]([\w-]+).*/, "$1"), argChoices, names) : null,
        })),
        values: path === " help" ? { words: visibleNames(program), files: false } : argumentsOf(command, names),
      },
      ...commands.flatMap((each) => within(each as Command, `${path} ${each.name()}`)),
    ];
  };
  return within(program, "");
}

function visibleNames(program: Command): string[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .map((each) => each.name());
}

function argumentsOf(command: Command, names: CompletedNames): Values {
  if (command.name() === "run") return { words: names.experiments, files: true };
  if (command.name() === "show") return { words: names.experiments, files: false };
  const all = command.registeredArguments.map((argument) => valuesOf(argument.name(), argument.argChoices, names));
  return { words: all.flatMap(({ words }) => words), files: all.some(({ files }) => files) };
}

/** Placeholders that stand for files and folders. */
const FILES = ["file", "dir", "store", "before", "after", "experiment"];

function valuesOf(placeholder: string, choices: readonly string[] | undefined, { policies }: CompletedNames): Values {
  const isPolicy = placeholder === "policy" || placeholder === "spec";
  return { words: choices ?? (isPolicy ? policies : []), files: FILES.includes(placeholder) };
}

/**
 * A script for bash, of version 3.2 (macOS) or later. Where the function offers nothing, bash completes files by itself; only version 4 lets it be told that
 * no file is wanted.
 */
function bashCompletion(commands: readonly Completable[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `_tsallis() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" command='' words='' files='' file i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
      ${paths.map(shellWord).join(" | ")}) command="$command \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command $before" in
${commands.flatMap((command) => optionCases(command, assignments)).join("\n")}
    *)
      case "$command" in
${commands.map(bashCase).join("\n")}
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

/** A case for each option that takes a value, in bash and zsh. */
function optionCases({ path, options }: Completable, action: (values: Values) => string): string[] {
  return options.flatMap(({ flags, values }) =>
    values === null ? [] : [`    ${flags.map((flag) => shellWord(`${path} ${flag}`)).join(" | ")}) ${action(values)} ;;`],
  );
}

function bashCase({ path, commands, options, values }: Completable): string {
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

/** A script for zsh, to be sourced or put into a folder of fpath as _tsallis. */
function zshCompletion(commands: readonly Completable[]): string {
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
${commands.flatMap((command) => optionCases(command, (values) => `${offers(values).join("; ") || ":"}; return`)).join("\n")}
  esac
  case "$command" in
${commands.map(zshCase).join("\n")}
  esac
}
if [[ $funcstack[1] == _tsallis ]]; then _tsallis "$@"; else compdef _tsallis tsallis; fi
`;
}

function zshCase({ path, commands, options, values }: Completable): string {
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

/** A script for fish. */
function fishCompletion(commands: readonly Completable[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `function __tsallis_at
    set -l command ''
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case ${paths.map(quoted).join(" ")}
                set command "$command $word"
        end
    end
    test "$command" = "$argv[1]"
end
complete -c tsallis -e
complete -c tsallis -f
${commands.flatMap(fishLines).join("\n")}
`;
}

function fishLines({ path, commands, options, values }: Completable): string[] {
  const at = `complete -c tsallis -n ${quoted(`__tsallis_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, summary }) => `${at} -a ${quoted(name)} -d ${quoted(summary)}`),
    ...(values.words.length > 0 ? [`${at} -a ${quoted(values.words.join(" "))}`] : []),
    ...(values.files ? [`${at} -F`] : []),
    ...options.map(({ flags, description, values: given }) => {
      const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
      const value = given === null ? "" : `${given.files ? " -r -F" : " -x"}${given.words.length > 0 ? ` -a ${quoted(given.words.join(" "))}` : ""}`;
      return `${at} ${names.join(" ")}${value} -d ${quoted(description)}`;
    }),
  ];
}

/** Text as fish reads it back. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
