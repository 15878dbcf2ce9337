import type { Command } from "@commander-js/extra-typings";
import { numberOrText } from "@tsallis/cli/dist/input/options.js";

const HELP = `
The distributions have known means and range from normal to rare disasters; the samples have 5 to 40 seeds. The marks
"clear" are tried with 2 to 29 policies. With 1,000 trials, the benchmark takes about fifteen minutes on one core.

Examples:
  $ npm run bench -- statistics
  $ npm run bench -- statistics --trials 4000
  $ npm run -s bench -- statistics --json > statistics.json
`;

export function addStatistics(program: Command, signal: AbortSignal): void {
  program
    .command("statistics")
    .summary("measure how far the lab's intervals and verdicts can be trusted")
    .description(
      'Measure how often the lab\'s 95 % intervals contain the true mean, how often its tests give a false alarm, and how often a mark "clear" is wrong.',
    )
    .option("--trials <number>", "the number of samples for each distribution and number of seeds", "1000")
    .option("--json", "print JSON instead of tables: {coverage, falseAlarms, unpaired, power, falseLeads, unequalLeads, trueLeads}")
    .addHelpText("after", HELP)
    .action(async ({ trials }, command) => {
      // Commander gives --json to the parent command, which has the option too.
      const { json = false } = command.optsWithGlobals();
      const { benchStatistics } = await import("../statistics/benchStatistics.js");
      await benchStatistics({ trials: numberOrText(trials), json }, signal);
    });
}
