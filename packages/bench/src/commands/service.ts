import type { Command } from "@commander-js/extra-typings";

const HELP = `
It takes about five minutes; close other programs for steady figures. Everything happens on the loopback interface and in a temporary folder.

Examples:
  $ npm run bench -- service
  $ npm run -s bench -- service --json > service.json
`;

export function addService(program: Command, signal: AbortSignal): void {
  program
    .command("service")
    .summary("measure what the decision service costs")
    .description(
      "Measure the decision service: processor time, rate and latency beside the same routes with nothing behind them, starts, audits, memory.",
    )
    .option("--json", "print JSON instead of tables")
    .addHelpText("after", HELP)
    .action(async (_options, command) => {
      const { json = false } = command.optsWithGlobals() as { json?: boolean };
      await (await import("../service/benchService.js")).benchService({ json }, signal);
    });
}
