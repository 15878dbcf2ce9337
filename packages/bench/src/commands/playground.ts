import type { Command } from "@commander-js/extra-typings";

const HELP = `
It takes about a minute, and needs Chromium (CHROMIUM names another one than that of PATH); close other programs for steady figures.

Examples:
  $ npm run bench -- playground
  $ npm run -s bench -- playground --json > playground.json
`;

export function addPlayground(program: Command, signal: AbortSignal): void {
  program
    .command("playground")
    .summary("measure what the playground costs in a browser")
    .description("Measure the playground in real Chromium: frames, the speed of a lane beside Node, memory, the first move.")
    .option("--json", "print JSON instead of tables")
    .addHelpText("after", HELP)
    .action(async (_options, command) => {
      const { json = false } = command.optsWithGlobals() as { json?: boolean };
      await (await import("../playground/benchPlayground.js")).benchPlayground({ json }, signal);
    });
}
