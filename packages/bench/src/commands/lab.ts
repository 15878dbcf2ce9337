import type { Command } from "@commander-js/extra-typings";

const HELP = `
Examples:
  $ npm run bench -- lab
`;

export function addLab(program: Command, signal: AbortSignal): void {
  program
    .command("lab")
    .summary("measure what the lab costs")
    .description(
      "Measure what the lab costs: a run against the bare loop of choose and update, and two workers against two processes. Takes about a minute.",
    )
    .addHelpText("after", HELP)
    .action(async () => (await import("../lab/benchLab.js")).benchLab(signal));
}
