import { readFileSync } from "node:fs";
import { Command, CommanderError } from "@commander-js/extra-typings";
import { addBench } from "./bench.js";
import { addAdvise } from "./commands/advise.js";
import { addReplay } from "./commands/replay.js";
import { addLabCommands } from "./labCommands.js";
import { describe, Failure } from "./text/failure.js";
import { isClosedPipe } from "./text/output.js";

const HELP = `
Examples:
  $ tsallis run
  $ tsallis list policies
  $ tsallis replay --policy '{"policy":"htinf","alpha":1.5,"sigma":2.5}' --arms 5 trace.jsonl
  $ tsallis bench --json

Exit codes: 0 done; 1 done with failures, or an internal error; 2 bad input or usage; 130 interrupted.
`;

/** The command `tsallis`, without the program's name in front of the arguments. Resolves to the exit code. */
export async function main(args: string[]): Promise<number> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  // Only once: a second Ctrl-C ends the process the hard way.
  process.once("SIGINT", interrupt);
  // Every write to stdout gets its own error back; these events would end the process first.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const program = createProgram(interruption.signal, args);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) return 130;
    return report(error, args);
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function createProgram(signal: AbortSignal, args: readonly string[]): Command {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  const program = new Command("tsallis")
    .description("Heavy-tailed multi-armed bandits, best of both worlds: experiments, reports, replays, speed.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .addHelpText("after", HELP);
  addLabCommands(program, signal, args);
  addAdvise(program, signal);
  addReplay(program, signal);
  addBench(program, signal);
  return program;
}

/** Says on stderr what went wrong; returns the exit code. */
function report(error: unknown, args: readonly string[]): number {
  if (isClosedPipe(error)) return 0;
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { line, exitCode } = describe(error instanceof CommanderError ? usage(error, args) : error);
  process.stderr.write(`${line}\n`);
  return exitCode;
}

/** Commander says "error: unknown option '--polcy'\n(Did you mean --policy?)"; but for `help nope` it prints the whole help and says "(outputHelp)". */
function usage({ code, message }: CommanderError, args: readonly string[]): Failure {
  if (code === "commander.help") return new Failure("ERR_USAGE", `no such command: ${args.join(" ")}; see tsallis --help`);
  return new Failure(
    "ERR_USAGE",
    `${message
      .replace(/^error: /, "")
      .replace(/\.$/, "")
      .replaceAll("\n", " ")}; see tsallis --help`,
  );
}
