import type { Command } from "@commander-js/extra-typings";

/** What may follow on a command line. */
export interface Values {
  readonly words: readonly string[];
  /** Whether files and folders are among them. */
  readonly files: boolean;
}

/** A command as a shell completes it. */
export interface Completable {
  /** "" for the program itself, " run", " keys add". */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletableOption[];
  /** What its arguments may be. */
  readonly values: Values;
}

export interface CompletableOption {
  /** "--policy", and "-h" where there is a short one. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Null if the option takes no value. */
  readonly values: Values | null;
}

/** The names that are completed. */
export interface CompletedNames {
  readonly experiments: readonly string[];
  readonly policies: readonly string[];
}

/** The program and all its commands, but for hidden ones. */
export function completables(program: Command, names: CompletedNames): Completable[] {
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
