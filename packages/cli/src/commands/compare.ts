import { writeFileSync } from "node:fs";
import type { Command } from "@commander-js/extra-typings";
import type { OnStage } from "@tsallis/lab";
import { systemFailure } from "../text/failure.js";
import { print, printText } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { shownPath } from "../text/terminal.js";

const HELP = `
Compares the regret at the horizon for each environment and policy that both folders have. A cell counts as changed if p is below 0.05, corrected for the
number of cells.

Examples:
  $ tsallis compare results/before results/after
  $ tsallis compare results/before results/after --html comparison.html
  $ tsallis compare results/before results/after --json | jq '.cells[] | select(.changed)'
`;

export function addCompare(program: Command): void {
  program
    .command("compare")
    .summary("compare two results folders")
    .description("Show what changed between two results folders, beyond noise.")
    .argument("<before>", "a folder written by tsallis run")
    .argument("<after>", "another one")
    .option("--json", "print the comparison as JSON")
    .option("--html <file>", "also write the comparison as a page")
    .addHelpText("after", helpText(HELP))
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
  if (json) await print(`${JSON.stringify(comparison)}\n`);
  else await printText(comparisonText(comparison) + (html === undefined ? "" : `Page: ${shownPath(html)}\n`));
}

function writePage(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (error) {
    throw systemFailure(error, path);
  }
}
