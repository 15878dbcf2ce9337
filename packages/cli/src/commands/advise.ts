import { writeFile } from "node:fs/promises";
import type { Command } from "@commander-js/extra-typings";
import { Failure, shortened } from "../text/failure.js";
import { print, reason, say } from "../text/output.js";

const HELP = `
FILE is CSV with a header: one column of losses per arm, named as the arm (a cell may be empty), or the two columns arm and loss. Lower losses are better.
Two arms or more, 100 losses or more of each; the order of the lines is taken for the order in time.
In the JSON null stands for an infinite index, and for what could not be estimated.

Examples:
  $ tsallis advise --data losses.csv
  $ tsallis advise --data losses.csv --plot hill.svg
  $ tsallis advise --data losses.csv --json | jq .recommendation.spec
`;

interface AdviseOptions {
  readonly data: string;
  readonly json?: true | undefined;
  readonly plot?: string | undefined;
}

export function addAdvise(program: Command, signal: AbortSignal): void {
  program
    .command("advise")
    .summary("look at losses of your own, and recommend a policy")
    .description("Estimate from recorded losses how heavy their tails are and whether truncated non-negativity is plausible, and recommend a policy.")
    .requiredOption("--data <file>", "the losses as CSV")
    .option("--plot <file>", "write the Hill plot as SVG")
    .option("--json", "print one JSON object instead of tables")
    .addHelpText("after", HELP)
    .action((options) => advise(options, signal));
}

async function advise({ data, json, plot }: AdviseOptions, signal: AbortSignal): Promise<void> {
  const { readLosses } = await import("../input/lossFile.js");
  const arms = await readLosses(data, signal);
  const lab = await import("@tsallis/lab/advice");
  const { adviceText } = await import("../text/adviceText.js");
  if (arms.length < 2) throw new Failure("ERR_DATA", `losses of ${arms.length} arm; there must be two or more`, data);
  const short = arms.find(({ losses }) => losses.length < lab.FEWEST_LOSSES);
  if (short !== undefined) {
    const { name, losses } = short;
    const count = `${losses.length} ${losses.length === 1 ? "loss" : "losses"}`;
    throw new Failure("ERR_DATA", `arm ${shortened(name)} has ${count}; ${lab.FEWEST_LOSSES} or more of each arm are needed to see a tail`, data);
  }
  const advice = lab.advise(arms);
  if (plot !== undefined) await writePlot(plot, lab.hillSvg(advice));
  await print(json ? `${JSON.stringify(advice)}\n` : adviceText(advice));
}

async function writePlot(file: string, svg: string | null): Promise<void> {
  if (svg === null) {
    say("too few losses differ from 0 to draw a Hill plot; none was written");
    return;
  }
  try {
    await writeFile(file, svg);
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, file);
  }
}
