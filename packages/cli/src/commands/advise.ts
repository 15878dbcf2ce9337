import { writeFile } from "node:fs/promises";
import type { Command } from "@commander-js/extra-typings";
import { Failure, reason, shortened } from "../text/failure.js";
import { print, printText, say } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
The first line names the columns: one column of losses per arm (cells may be empty), or the two columns arm and loss. Lower losses are better; lines are in
order of time. At least two arms are needed, with at least 100 losses each. In JSON, null means infinite or unknown.

Examples:
  $ tsallis advise --data losses.csv
  $ tsallis advise --data losses.tsv.gz --plot hill.svg
  $ jq -r '[.route, .seconds] | @tsv' log.jsonl | sed '1i arm\tloss' | tsallis advise --data -
  $ tsallis advise --data losses.csv --json | jq .recommendation.spec
`;

const STAGES = ["reading the losses", "examining the losses"];

interface AdviseOptions {
  readonly data: string;
  readonly json?: true | undefined;
  readonly plot?: string | undefined;
}

export function addAdvise(program: Command, signal: AbortSignal): void {
  program
    .command("advise")
    .summary("recommend a policy for recorded losses")
    .description("Recommend a policy for recorded losses, from how heavy their tails are and which sign they have.")
    .requiredOption("--data <file>", "losses as CSV or TSV, gzipped or not; - for stdin")
    .option("--plot <file>", "write the Hill plot as SVG")
    .option("--json", "print one JSON object")
    .addHelpText("after", helpText(HELP))
    .action((options) => advise(options, signal));
}

async function advise({ data, json, plot }: AdviseOptions, signal: AbortSignal): Promise<void> {
  const { readLosses } = await import("../input/lossFile.js");
  const { inputName } = await import("../input/inputLines.js");
  const { withHeartbeat } = await import("../text/heartbeat.js");
  // What a person types at a terminal may take its time.
  const arms = await withHeartbeat(STAGES, () => readLosses(data, signal), { wanted: !(data === "-" && process.stdin.isTTY) });
  const lab = await import("@tsallis/lab/advice");
  const { FEWEST_LOSSES } = await import("tsallis/statistics");
  const { adviceText } = await import("../text/adviceText.js");
  if (arms.length < 2) throw new Failure("ERR_DATA", `the number of arms is ${arms.length}; at least two are needed`, inputName(data));
  const short = arms.find(({ losses }) => losses.length < FEWEST_LOSSES);
  if (short !== undefined) {
    const { name, losses } = short;
    const count = `${losses.length} ${losses.length === 1 ? "loss" : "losses"}`;
    throw new Failure("ERR_DATA", `arm ${shortened(name)} has ${count}; each arm needs at least ${FEWEST_LOSSES} to show its tail`, inputName(data));
  }
  const advice = await withHeartbeat(STAGES, (at) => {
    at("examining the losses", 0);
    return lab.advise(arms);
  });
  if (plot !== undefined) await writePlot(plot, lab.hillSvg(advice));
  if (json) await print(`${JSON.stringify(advice)}\n`);
  else await printText(adviceText(advice));
}

async function writePlot(file: string, svg: string | null): Promise<void> {
  if (svg === null) {
    say("too few losses differ from 0 to draw a Hill plot, so none was written");
    return;
  }
  try {
    await writeFile(file, svg);
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, file);
  }
}
