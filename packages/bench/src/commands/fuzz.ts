import type { Command } from "@commander-js/extra-typings";
import { numberOrText } from "@tsallis/cli/dist/input/numberOrText.js";

const HELP = `
A world has 2 to 20 arms, each with its own law over 2 to 6 values of any size and place. The number of a world determines it, so that it can be played again.
The benchmark takes two to three minutes for all policies and some 15 seconds for --policy matched-tinf, on two cores.

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
      "Play 20,000 rounds in each of many random worlds with the default policy and the others that the guide recommends. Each plays in worlds that meet the condition under which it is recommended.",
    )
    .option("--worlds <number>", "the number of worlds to play", "1000")
    .option("--first <number>", "the number of the first world, which is the only one with --worlds 1", "1")
    .option("--policy <spec>", "play this policy alone: a name or JSON; a parameter that it needs and that is left out gets its true value")
    .option("--json", "print JSON instead of a table: an array of {policy, worlds, told, played, stuck, stuckWorlds, mean, q99, worst, worstWorld}")
    .addHelpText("after", HELP)
    .action(async ({ worlds, first, policy }, command) => {
      const { json = false } = command.optsWithGlobals();
      const { benchFuzz } = await import("../fuzz/benchFuzz.js");
      await benchFuzz({ worlds: numberOrText(worlds), first: numberOrText(first), policy, json }, signal);
    });
}
