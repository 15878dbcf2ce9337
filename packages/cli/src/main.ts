import { readFileSync } from "node:fs";
import type { Command } from "@commander-js/extra-typings";
import { addAdvise } from "./commands/advise.js";
import { addApply } from "./commands/apply.js";
import { addAudit } from "./commands/audit.js";
import { addBackup } from "./commands/backup.js";
import { addCompare } from "./commands/compare.js";
import { addCompletion } from "./commands/completion.js";
import { addErase } from "./commands/erase.js";
import { addEvaluate } from "./commands/evaluate.js";
import { addFleet } from "./commands/fleet.js";
import { addInit } from "./commands/init.js";
import { addKeys } from "./commands/keys.js";
import { addList } from "./commands/list.js";
import { addPlayground } from "./commands/playground.js";
import { addPrune } from "./commands/prune.js";
import { addRepair } from "./commands/repair.js";
import { addReplay } from "./commands/replay.js";
import { addReport } from "./commands/report.js";
import { addRun } from "./commands/run.js";
import { addSchema } from "./commands/schema.js";
import { addServe } from "./commands/serve.js";
import { addShow } from "./commands/show.js";
import { addVerify } from "./commands/verify.js";
import { addWorker } from "./commands/worker.js";
import { runCommandLine } from "./input/runCommandLine.js";
import { helpText } from "./text/prose.js";

const HELP = `
Examples:
  $ tsallis run
  $ tsallis list policies
  $ tsallis serve --demo
  $ tsallis replay --policy '{"policy":"htinf","alpha":1.5,"sigma":2.5}' --arms 5 trace.jsonl

Exit codes: 0 done; 1 done with failures, or an internal error; 2 bad input or usage; 3 not everything could be proved (audit); 130 interrupted.
`;

/** The command `tsallis`, without the program's name in front of the arguments. Resolves to the exit code. */
export function main(args: readonly string[]): Promise<number> {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return runCommandLine("tsallis", args.length === 0 ? ["--help"] : args, (program, signal) => {
    program
      .description("Bandit algorithms for heavy-tailed losses: experiments, reports, advice, decisions over HTTP.")
      .version(version)
      .addHelpText("after", helpText(HELP));
    addCommands(program, signal, args);
  });
}

/** The reference of the command is made from these too. */
export function addCommands(program: Command, signal: AbortSignal, args: readonly string[]): void {
  addRun(program, signal, args);
  addWorker(program, signal);
  addFleet(program, signal);
  addInit(program);
  addList(program);
  addShow(program);
  addSchema(program);
  addReport(program);
  addVerify(program);
  addCompare(program);
  addAdvise(program, signal);
  addReplay(program, signal);
  addEvaluate(program, signal);
  addPlayground(program, signal);
  addServe(program, signal);
  addKeys(program);
  addApply(program);
  addBackup(program, signal);
  addAudit(program, signal);
  addPrune(program, signal);
  addErase(program);
  addRepair(program);
  addCompletion(program);
}
