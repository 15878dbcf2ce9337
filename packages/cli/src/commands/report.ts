import { join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { Analysis, FrozenExperiment } from "@tsallis/lab";
import { importOption } from "../input/options.js";
import { systemFailure } from "../text/failure.js";
import { printText } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
Everything but experiment.json and the journal is written again: after an update of tsallis, or for an experiment that was stopped halfway.

Examples:
  $ tsallis report results/mine
  $ tsallis report results/mine --csv
  $ tsallis report results/mine --pdf paper/figures
  $ tsallis report results/mine --open
`;

interface ReportOptions {
  readonly import: readonly string[];
  readonly csv?: true | undefined;
  readonly open?: true | undefined;
  readonly pdf?: string | undefined;
}

export function addReport(program: Command): void {
  program
    .command("report")
    .summary("write a report again")
    .description("Write summary, ranking, report and figures of a results folder again, without running anything.")
    .argument("<dir>", "a folder written by tsallis run")
    .addOption(importOption())
    .option("--csv", "also write traces.csv")
    .option("--pdf <dir>", "print the figures as PDF into this folder (needs Chromium; env: CHROMIUM)")
    .option("--open", "open the report in the default browser")
    .addHelpText("after", helpText(HELP))
    .action((dir, options) => report(dir, options));
}

/** Writes everything that follows from a folder's journal again, and prints its rankings. */
async function report(directory: string, options: ReportOptions): Promise<void> {
  const { readFrozen, requireSameImports } = await import("@tsallis/lab");
  const { imported } = await import("../input/imported.js");
  const { resultText } = await import("../text/resultText.js");
  const frozen = readFrozen(directory);
  requireSameImports(frozen, await imported(options.import));
  await printText(resultText(await rewrite(directory, frozen, options), directory));
  if (options.pdf !== undefined) {
    const { printFigures } = await import("../serving/printFigures.js");
    const { withHeartbeat } = await import("../text/heartbeat.js");
    await withHeartbeat(["printing the figures"], () => printFigures(join(directory, "figures"), options.pdf!));
  }
  if (options.open === true) {
    const { openInBrowser } = await import("../serving/openInBrowser.js");
    await openInBrowser(resolve(directory, "report.html"));
  }
}

/** Claims the folder before it reads the journal: a process that plays into it would write the same files, of more runs. */
async function rewrite(directory: string, frozen: FrozenExperiment, options: ReportOptions): Promise<Analysis> {
  const { claimDirectory, readResults, STAGES } = await import("@tsallis/lab");
  const { writeResults } = await import("@tsallis/lab/report");
  const { withHeartbeat } = await import("../text/heartbeat.js");
  try {
    const release = claimDirectory(directory, frozen);
    try {
      return await withHeartbeat(STAGES, (onStage) =>
        writeResults(directory, frozen, readResults(directory, onStage).results, { csv: options.csv === true, onStage }),
      );
    } finally {
      release();
    }
  } catch (error) {
    throw systemFailure(error, directory);
  }
}
