import type { Command } from "@commander-js/extra-typings";
import { numberOrText } from "@tsallis/cli/dist/input/numberOrText.js";

const HELP = `
A world has 2 to 20 arms, each with a law of its own over 2 to 6 values of any size and place. It follows from its number alone, so that it can be played
again. Takes two to three minutes for all policies, some 15 seconds for --policy matched-tinf (on two cores).

Examples:
  $ npm run bench -- fuzz
  $ npm run bench -- fuzz --policy matched-tinf
  $ npm run bench -- fuzz --policy '{"policy":"thompson","sigma":0.1}' --worlds 100
  $ npm run bench -- fuzz --policy kl-ucb --first 137 --worlds 1
  $ npm run -s bench -- fuzz --json > fuzz.json
`;

export function addFuzz(program: Command, signal: AbortSignal): void {
  program
    .command("fuzz")
    .summary("look for random worlds in which a policy gets stuck")
    .description(
      "Play 20,000 rounds in each of many random worlds: the default policy, and beside it the others that the guide recommends, each in worlds that meet the condition under which it does.",
    )
    .option("--worlds <number>", "play so many worlds", "1000")
    .option("--first <number>", "the number of the first world; with --worlds 1 the only one", "1")
    .option("--policy <spec>", "play this policy alone: a name, or JSON; what it must be told and does not have, it is told")
    .option("--json", "print JSON instead of a table: an array of {policy, worlds, told, played, stuck, stuckWorlds, mean, q99, worst, worstWorld}")
    .addHelpText("after", HELP)
    .action(async ({ worlds, first, policy }, command) => {
      const { json = false } = command.optsWithGlobals();
      const { benchFuzz } = await import("../fuzz/benchFuzz.js");
      await benchFuzz({ worlds: numberOrText(worlds), first: numberOrText(first), policy, json }, signal);
    });
}
