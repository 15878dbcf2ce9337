import { writeFileSync } from "node:fs";
import type { Command } from "@commander-js/extra-typings";
import type { OnStage } from "@tsallis/lab";
import { systemFailure } from "../text/failure.js";
import { print } from "../text/output.js";
import { shownPath } from "../text/terminal.js";

const HELP = `
Each cell is the regret at the horizon in one environment under one policy that both results have. A cell counts as changed if a test of its mean, corrected
for the number of cells that differ at all, finds that chance alone hardly explains the difference (p below 0.05).

Examples:
  $ tsallis compare results/before results/after
  $ tsallis compare results/before results/after --html comparison.html
  $ tsallis compare results/before results/after --json | jq '.cells[] | select(.changed)'
`;

export function addCompare(program: Command): void {
  program
    .command("compare")
    .summary("show what changed between two results, beyond noise")
    .description("Show what changed from the results in one folder to those in another, beyond noise.")
    .argument("<before>", "a folder that tsallis run has written")
    .argument("<after>", "another such folder")
    .option("--json", "print the comparison as JSON instead of tables")
    .option("--html <file>", "write the comparison as a page, too")
    .addHelpText("after", HELP)
    .action((before, after, options) => compare(before, after, options));
}

interface CompareOptions {
  readonly json?: true | undefined;
  readonly html?: string | undefined;
}

async function compare(before: string, after: string, { json, html }: CompareOptions): Promise<void> {
  const { compareOutcomes, readResults, runsOf, STAGES } = await import("@tsallis/lab");
  const { withHeartbeat } = await import("../text/heartbeat.js");
  const { comparisonText } = await import("../text/comparisonText.js");
  const outcomeIn = (directory: string, onStage: OnStage) => {
    const { frozen, results } = readResults(directory, onStage);
    return { frozen, runs: runsOf(frozen.experiment).filter(({ id }) => results.has(id)), results };
  };
  const { first, second, comparison } = await withHeartbeat(STAGES, (onStage) => {
    const [first, second] = [outcomeIn(before, onStage), outcomeIn(after, onStage)];
    return { first, second, comparison: compareOutcomes(first, second, onStage) };
  });
  if (html !== undefined) {
    const { renderComparison } = await import("@tsallis/lab/report");
    const named = (place: string, { frozen: { experiment, version, hash } }: typeof first) => ({ place, name: experiment.name, version, hash });
    writePage(html, renderComparison(comparison, [named(before, first), named(after, second)]));
  }
  await print(json ? `${JSON.stringify(comparison)}\n` : comparisonText(comparison) + (html === undefined ? "" : `Page: ${shownPath(html)}\n`));
}

function writePage(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (error) {
    throw systemFailure(error, path);
  }
}
