import type { Command } from "@commander-js/extra-typings";
import { queueOption } from "@tsallis/cli/dist/input/queueOption.js";

const HELP = `
The server has to be empty: no workers, no experiments. Takes about three minutes; close other programs for steady figures.

Examples:
  $ redis-server --port 6390 --save ""
  $ npm run bench -- fleet --queue redis://127.0.0.1:6390
`;

export function addFleet(program: Command, signal: AbortSignal): void {
  program
    .command("fleet")
    .summary("measure what a fleet costs")
    .description(
      "Measure what a fleet costs: workers to bare processes and to threads, what a chunk loses to the queue, and how much the queue bears.",
    )
    .addOption(queueOption())
    .addHelpText("after", HELP)
    .action(async ({ queue }) => (await import("../fleet/benchFleet.js")).benchFleet(queue, signal));
}
