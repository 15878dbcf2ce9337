import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { didYouMean } from "../text/didYouMean.js";
import { describe, Failure } from "../text/failure.js";
import { isClosedPipe, sayLine } from "../text/output.js";

/** Runs the command that the arguments name, one of those that `add` adds to the program. Resolves to the exit code; an error is one line on stderr. */
export async function runCommandLine(name: string, args: readonly string[], add: (program: Command, signal: AbortSignal) => void): Promise<number> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  // Only once: a second Ctrl-C kills the process.
  process.once("SIGINT", interrupt);
  // Every write to stdout reports its own error; without listeners, these events would end the process first.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const program = new Command(name).exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
  add(program, interruption.signal);
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) return 130;
    return report(error instanceof CommanderError ? usage(error, program, args) : error);
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** Prints the error on stderr; returns the exit code. */
function report(error: unknown): number {
  if (error === undefined || isClosedPipe(error)) return 0;
  const { line, exitCode } = describe(error);
  sayLine(line);
  return exitCode;
}

/**
 * The usage error that Commander found; undefined after --help and --version, for which it throws too. Its message is like "error: unknown option
 * '--polcy'\n(Did you mean --policy?)", but for `help nope` it prints the whole help, and its message is "(outputHelp)".
 */
function usage({ code, message, exitCode }: CommanderError, program: Command, args: readonly string[]): Failure | undefined {
  if (exitCode === 0) return undefined;
  const what = code === "commander.help" ? noCommand(program, args) : message.replace(/^error: /, "").replace(/\.$/, "");
  return new Failure("ERR_USAGE", `${what.replaceAll("\n", " ")}; see ${helpOf(program, args)}${nearestChoice(what)}`);
}

/** The help of the command that was meant, or of the program if it has no such command. */
function helpOf(program: Command, args: readonly string[]): string {
  let command: Pick<CommandUnknownOpts, "commands"> = program;
  const words = [program.name()];
  for (const word of args) {
    const named = command.commands.find((each) => each.name() === word);
    if (named === undefined) break;
    command = named;
    words.push(word);
  }
  return `${words.join(" ")} --help`;
}

/** Commander has suggestions for commands and options, but none for a message like "... value 'bsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish". */
function nearestChoice(message: string): string {
  const [, given, choices] = /'([^']*)' is invalid.* Allowed choices are (.*)$/.exec(message) ?? [];
  return given === undefined ? "" : didYouMean(given, choices!.split(", "));
}

/** What is wrong with words that name no command: those of a group may stand alone. */
function noCommand(program: Command, args: readonly string[]): string {
  const group = program.commands.find((command) => command.name() === args[0]);
  if (args.length > 1 || group === undefined) return `no such command: ${args.join(" ")}`;
  return `${group.name()} needs one of ${group.commands.map((command) => command.name()).join(", ")} after it`;
}
