import type { Command } from "@commander-js/extra-typings";
import { numberOrText } from "@tsallis/cli/dist/input/options.js";

const HELP = `
Each data set has 500 to 2,000 losses per arm. The recommended policy, its alternatives and every policy that can be played with what the data give are played on the
same distributions. The benchmark takes about five minutes on two cores.

Examples:
  $ npm run bench -- advice
  $ npm run bench -- advice --held-out
  $ npm run -s bench -- advice --rounds 5000 --json > advice.json
`;

export function addAdvice(program: Command, signal: AbortSignal): void {
  program
    .command("advice")
    .summary("follow what tsallis advise recommends on data sets of known distributions")
    .description("Draw data sets of many kinds, take the advice, and compare the regret of the recommended policy with that of every other policy.")
    .option("--held-out", "the kinds of data sets that the rules were not fitted to")
    .option("--rounds <number>", "the rounds to play", "20000")
    .option("--seeds <number>", "the number of data sets that pick the best policy; as many others judge", "8")
    .option("--json", "print JSON instead of tables: an array of {kind, recommended, share, worst, best, bestOfAll, alternatives, shares}")
    .addHelpText("after", HELP)
    .action(async ({ heldOut = false, rounds, seeds }, command) => {
      const { json = false } = command.optsWithGlobals();
      const { benchAdvice } = await import("../advice/benchAdvice.js");
      await benchAdvice({ heldOut, rounds: numberOrText(rounds), seeds: numberOrText(seeds), json }, signal);
    });
}
