import { writeFile } from "node:fs/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import type { EvaluateOptions } from "../input/evaluateOptions.js";
import { storeOption } from "../input/options.js";
import { Failure, reason } from "../text/failure.js";
import { print, printText } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
LOG is a service's log (GET /v1/bandits/NAME/log, or what tsallis prune wrote), a router's log, or your own, gzipped or not: one decision per line, as JSON
lines such as {"arm":"b","loss":0.37}, CSV or TSV. A line without a loss or reward has no feedback. Decisions are ordered by time, or by line. Fix the cap
before you look at the log: larger losses count as the cap.

Exit codes: 0 answered; 1 an event of a service's log was changed; 2 something cannot be read or answered.

Examples:
  $ tsallis evaluate log.jsonl --cap 200
  $ tsallis evaluate log.csv.gz --columns arm=variant,loss=latency_ms --cap 5000 --report page.html
  $ tsallis evaluate --db tsallis.db --bandit checkout --cap 200
  $ jq -c '{arm: .route, loss: .seconds}' access.jsonl | tsallis evaluate - --cap 30 --json
  $ tsallis evaluate log.jsonl --cap 200 --against '{"policy":"htinf","alpha":1.5,"sigma":3}'
`;

export function addEvaluate(program: Command, signal: AbortSignal): void {
  program
    .command("evaluate")
    .summary("compare arms and savings from a log")
    .description(
      "Answer from logged decisions: what each arm costs, what the policy saved, which arm is best, and whether you may stop. The answers stay valid however often you look.",
    )
    .argument("[log...]", "log files in order; - for stdin (default: the store)")
    .addOption(storeOption())
    .option("--bandit <name>", "only this bandit of a service")
    .option("--segment <name>", "only this segment")
    .option("--columns <roles>", "names of the columns arm, loss or reward, holdout, segment, time and id, such as arm=variant,loss=latency_ms")
    .option("--cap <number>", "the largest loss (or reward) that matters")
    .option("--floor <number>", "the smallest one that matters, at most 0 (default: 0)")
    .option("--error <number>", "probability that any answer is ever wrong", "0.05")
    .option("--tolerance <number>", "how much worse than the best arm the named one may be", "0")
    .addOption(
      new Option("--missing <how>", "decisions without feedback: left out, or any loss from floor to cap")
        .choices(["out", "range"] as const)
        .default("out" as const),
    )
    .option("--moving", "arms may change over time: compare them by the holdout only")
    .option("--holdout <share>", "share of decisions in the holdout, for --moving; a service's log has it")
    .option("--mix <file>", 'also answer what a fixed mix of arms costs, such as {"a":0.5,"b":0.5}')
    .option("--index <number>", "assume this tail index, and also answer for uncapped losses")
    .option("--alpha <number>", "with --sigma: instead of --index, assume E|loss|^alpha <= sigma^alpha")
    .option("--sigma <number>", "the moment bound that goes with --alpha")
    .option("--against <policy>", "estimate what another policy (a name or a spec as JSON) would have cost, on redrawn losses")
    .option("--max-open <number>", "decisions that may wait until an earlier one has ended", "1000000")
    .option("--no-chain", "do not check the hashes of a service's log; halves the time")
    .option("--report <file>", "write the answers as a page with charts")
    .option("--json", "print one JSON array")
    .addHelpText("after", helpText(HELP))
    .action((logs, options, command) => evaluate(logs, options, command.getOptionValueSource("db") === "cli", signal));
}

async function evaluate(names: readonly string[], options: EvaluateOptions, isStoreNamed: boolean, signal: AbortSignal): Promise<void> {
  const { evaluatedLogs } = await import("../input/evaluatedLogs.js");
  const logs = await evaluatedLogs(names, options, isStoreNamed, signal);
  if (options.report !== undefined) {
    const { renderEvaluation } = await import("@tsallis/lab/report");
    await writeReport(options.report, renderEvaluation(logs));
  }
  const { evaluationText } = await import("../text/evaluationText.js");
  const { jsonLine } = await import("../text/terminal.js");
  if (options.json) await print(jsonLine(logs.map(({ history: _, ...log }) => log)));
  else await printText(logs.map(evaluationText).join("\n"));
}

async function writeReport(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page);
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, file);
  }
}
