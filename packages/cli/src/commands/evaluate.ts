import { writeFile } from "node:fs/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import type { EvaluateOptions } from "../input/evaluateOptions.js";
import { storeOption } from "../input/options.js";
import { Failure, reason } from "../text/failure.js";
import { print } from "../text/output.js";

const HELP = `
LOG is what tsallis audit reads: what GET /v1/bandits/NAME/log answers, or what tsallis prune wrote; without any, the store. Or it is a log of your own, one line for each
decision: JSON lines such as {"arm":"b","loss":0.37}, or CSV or TSV with a first line that names the columns. Losses may be rewards; a line without one has no
feedback. Optional columns are holdout, segment, time and id. The order of the decisions is that of time, or that of the lines. It may be packed with gzip; - reads stdin.
The cap is the largest loss that matters (of rewards, the largest reward), and must be fixed before looking: larger ones count as the cap.
Exit code 0: answered. 1: an event of a service's log is not as it was written. 2: something cannot be read, or answered.

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
    .summary("answer from a log: what the arms cost, what was saved, which arm is best")
    .description(
      "Answer from logged decisions what each arm costs, what the policy saved, which arm is best and whether one may stop, whenever one looks.",
    )
    .argument("[log...]", "logs, in order; - for stdin; without any, the store")
    .addOption(storeOption())
    .option("--bandit <name>", "only this bandit of a service")
    .option("--segment <name>", "only this segment")
    .option("--columns <roles>", "which column is what: arm, loss or reward, holdout, segment, time, id; such as arm=variant,loss=latency_ms")
    .option("--cap <number>", "the largest loss that matters; of rewards, the largest reward")
    .option("--floor <number>", "the smallest that matters, 0 or less; 0 if left out")
    .option("--error <number>", "how often an answer may ever be wrong", "0.05")
    .option("--tolerance <number>", "the arm that is named may be worse than the best by this much", "0")
    .addOption(
      new Option("--missing <how>", "decisions without feedback: left out, or anything from floor to cap")
        .choices(["out", "range"] as const)
        .default("out" as const),
    )
    .option("--moving", "the arms may change over time: compare them by the holdout alone")
    .option("--holdout <share>", "the share of decisions in the holdout, for --moving; a service's log has it")
    .option("--mix <file>", 'also answer what a fixed mix of arms costs: JSON such as {"a":0.5,"b":0.5}')
    .option("--index <number>", "you vouch for a tail index: also answer about uncapped losses")
    .option("--alpha <number>", "you vouch for a moment, E|loss|^alpha <= sigma^alpha: the same; with --sigma")
    .option("--sigma <number>", "see --alpha")
    .option("--against <policy>", "what another policy would have cost, on redrawn losses: a name or a spec as JSON")
    .option("--max-open <number>", "how many decisions may wait to be put into order", "1000000")
    .option("--no-chain", "do not check the hashes of a service's log, which takes half of the time")
    .option("--report <file>", "write a page with the sequences, the race and the evidence")
    .option("--json", "print one JSON array instead of tables")
    .addHelpText("after", HELP)
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
  await print(options.json ? jsonLine(logs.map(({ history: _, ...log }) => log)) : logs.map(evaluationText).join("\n"));
}

async function writeReport(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page);
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, file);
  }
}
