import { readFileSync } from "node:fs";
import { addAdvise } from "./commands/advise.js";
import { addBench } from "./commands/bench.js";
import { addReplay } from "./commands/replay.js";
import { runCommandLine } from "./input/runCommandLine.js";
import { addLabCommands } from "./labCommands.js";

const HELP = `
Examples:
  $ tsallis run
  $ tsallis list policies
  $ tsallis replay --policy '{"policy":"htinf","alpha":1.5,"sigma":2.5}' --arms 5 trace.jsonl

Exit codes: 0 done; 1 done with failures, or an internal error; 2 bad input or usage; 130 interrupted.
`;

/** The command `tsallis`, without the program's name in front of the arguments. Resolves to the exit code. */
export function main(args: readonly string[]): Promise<number> {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return runCommandLine("tsallis", args.length === 0 ? ["--help"] : args, (program, signal) => {
    program
      .description("Heavy-tailed multi-armed bandits, best of both worlds: experiments, reports, replays.")
      .version(version)
      .addHelpText("after", HELP);
    addLabCommands(program, signal, args);
    addAdvise(program, signal);
    addReplay(program, signal);
    addBench(program);
  });
}
