import type { Command } from "@commander-js/extra-typings";
import { queueOption } from "@tsallis/cli/dist/input/options.js";

const HELP = `
The server must be empty: no workers and no experiments. The benchmark takes about three minutes; close other programs for steady figures.

Examples:
  $ redis-server --port 6390 --save ""
  $ npm run bench -- fleet --queue redis://127.0.0.1:6390
`;

export function addFleet(program: Command, signal: AbortSignal): void {
  program
    .command("fleet")
    .summary("measure what a fleet costs")
    .description(
      "Measure what a fleet costs: workers against bare processes and threads, what a chunk loses to the queue, and how much the queue can take.",
    )
    .addOption(queueOption())
    .addHelpText("after", HELP)
    .action(async ({ queue }) => (await import("../fleet/benchFleet.js")).benchFleet(queue, signal));
}
