import { type Command, Option } from "@commander-js/extra-typings";
import { numberOrText } from "@tsallis/cli/dist/input/options.js";
import type { Kind } from "../fuzz/kinds.js";

const KINDS = ["values", "rare", "changes"] as const satisfies readonly Kind[];

const HELP = `
Worlds of values have 2 to 20 arms, each with its own probabilities of 2 to 6 values of any size and place. Worlds of rare events have 2 to 10 arms with normal losses and a rare gain or
disaster each; those that the best arm wins by its rare gains are also counted separately. In worlds of changes, levels of losses swap, fall, rise, drift, or move together.
Kind and number determine a world, so that it can be played again. The benchmark takes about three minutes for all policies and a minute for --policy matched-tinf, on two cores.

Examples:
  $ npm run bench -- fuzz
  $ npm run bench -- fuzz --policy matched-tinf
  $ npm run bench -- fuzz --kind rare --worlds 400
  $ npm run bench -- fuzz --policy '{"policy":"thompson","sigma":0.1}' --worlds 100
  $ npm run bench -- fuzz --kind values --policy kl-ucb --first 137 --worlds 1
  $ npm run -s bench -- fuzz --json > fuzz.json
`;

export function addFuzz(program: Command, signal: AbortSignal): void {
  program
    .command("fuzz")
    .summary("look for random worlds in which a policy gets stuck")
    .description(
      "Play 20,000 rounds (50,000 in worlds of rare events) in each of many random worlds with the default policy and, in worlds of values, the others that the guide recommends. Each gets losses that meet the condition under which it is recommended.",
    )
    .addOption(new Option("--kind <kind>", "play worlds of this kind only, not of all kinds").choices(KINDS))
    .option("--worlds <number>", "the number of worlds of each kind to play", "1000")
    .option("--first <number>", "the number of the first world, which is the only one with --worlds 1", "1")
    .option("--policy <spec>", "play this policy alone: a name or JSON; a parameter that it needs and that is left out gets its true value")
    .option(
      "--json",
      "print JSON instead of a table: an array of {kind, policy, worlds, requires, played, stuck, stuckWorlds, mean, q99, worst, worstWorld}",
    )
    .addHelpText("after", HELP)
    .action(async ({ kind, worlds, first, policy }, command) => {
      const { json = false } = command.optsWithGlobals();
      const { benchFuzz } = await import("../fuzz/benchFuzz.js");
      await benchFuzz({ kind, worlds: numberOrText(worlds), first: numberOrText(first), policy, json }, signal);
    });
}
