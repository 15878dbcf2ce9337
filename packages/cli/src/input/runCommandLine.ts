import { Command, CommanderError } from "@commander-js/extra-typings";
import { describe, Failure } from "../text/failure.js";
import { isClosedPipe } from "../text/output.js";

/** Runs the command that the arguments name, of those that `add` adds to a program. Resolves to the exit code; what went wrong is one line on stderr. */
export async function runCommandLine(name: string, args: readonly string[], add: (program: Command, signal: AbortSignal) => void): Promise<number> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  // Only once: a second Ctrl-C ends the process the hard way.
  process.once("SIGINT", interrupt);
  // Every write to stdout gets its own error back; these events would end the process first.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const program = new Command(name).exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
  add(program, interruption.signal);
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) return 130;
    return report(error instanceof CommanderError ? usage(error, name, args) : error);
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** Says on stderr what went wrong; returns the exit code. */
function report(error: unknown): number {
  if (error === undefined || isClosedPipe(error)) return 0;
  const { line, exitCode } = describe(error);
  process.stderr.write(`${line}\n`);
  return exitCode;
}

/**
 * What Commander stumbled over; undefined after --help and --version, which it throws, too. It says "error: unknown option '--polcy'\n(Did you mean
 * --policy?)"; but for `help nope` it prints the whole help and says "(outputHelp)".
 */
function usage({ code, message, exitCode }: CommanderError, name: string, args: readonly string[]): Failure | undefined {
  if (exitCode === 0) return undefined;
  const what = code === "commander.help" ? `no such command: ${args.join(" ")}` : message.replace(/^error: /, "").replace(/\.$/, "");
  return new Failure("ERR_USAGE", `${what.replaceAll("\n", " ")}; see ${name} --help`);
}
