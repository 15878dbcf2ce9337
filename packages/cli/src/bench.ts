import { type Command, Option } from "@commander-js/extra-typings";
import { benchFunctions } from "./benchFunctions.js";
import { benchGrowth } from "./benchGrowth.js";
import { benchPolicies } from "./benchPolicies.js";
import { functionTable, growthTable, policyTables } from "./benchTables.js";
import { numberOrText } from "./input/numberOrText.js";
import { queueOption } from "./input/queueOption.js";
import { print } from "./text/output.js";

/** Tens of milliseconds per cell and repetition, a few seconds for many arms. */
const FULL = {
  repetitions: 9,
  kernels: [
    { arms: 2, dense: 300_000, indexed: 300_000 },
    { arms: 10, dense: 300_000, indexed: 300_000 },
    { arms: 100, dense: 5_000, indexed: 300_000 },
    { arms: 1_000, dense: 2_000, indexed: 2_000_000 },
    { arms: 10_000, dense: 500, indexed: 2_000_000 },
    { arms: 100_000, dense: 100, indexed: 2_000_000 },
    { arms: 1_000_000, dense: 10, indexed: 2_000_000 },
  ],
  policies: [
    { arms: 2, rounds: 100_000, plain: 50_000 },
    { arms: 10, rounds: 50_000, plain: 25_000 },
    { arms: 100, rounds: 15_000, plain: 5_000 },
    { arms: 1_000, rounds: 15_000, plain: 3_000 },
  ],
  growth: { arms: 10, ages: [10_000, 100_000, 1_000_000] },
  calls: 500_000,
};

const HELP = `
HTINF under both kernels at 2 to 1,000,000 arms, the other policies under the kernel that the number of arms decides. Each figure is the median of
${FULL.repetitions} interleaved repetitions (3 from 1,000 arms on), after a warm-up. A repetition plays a fresh policy against losses that were drawn before
the clock started. Then every policy plays 1,000,000 rounds at 10 arms, to show that a round costs no more for an old policy than for a young one.
Takes about six minutes; close other programs for steady figures.

Examples:
  $ tsallis bench
  $ tsallis bench --json > bench.json
`;

const FLEET_HELP = `
The server has to be empty: no workers, no experiments. Takes about three minutes; close other programs for steady figures.

Examples:
  $ redis-server --port 6390 --save ""
  $ tsallis bench fleet --queue redis://127.0.0.1:6390
`;

const ROUTER_HELP = `
Every rule meets the same requests and the same latencies. Takes about a minute, on real servers three; close other programs for those.

Examples:
  $ tsallis bench router
  $ tsallis bench router --servers
  $ tsallis bench router --seeds 4
  $ tsallis bench router --json > router.json
`;

const FUZZ_HELP = `
A world has 2 to 20 arms, each with a law of its own over 2 to 6 values of any size and place. It follows from its number alone, so that it can be played
again. Takes two to three minutes for all policies, some 15 seconds for --policy matched-tinf (on two cores).

Examples:
  $ tsallis bench fuzz
  $ tsallis bench fuzz --policy matched-tinf
  $ tsallis bench fuzz --policy '{"policy":"thompson","sigma":0.1}' --worlds 100
  $ tsallis bench fuzz --policy kl-ucb --first 137 --worlds 1
  $ tsallis bench fuzz --json > fuzz.json
`;

export function addBench(program: Command, signal: AbortSignal): void {
  const bench = program
    .command("bench")
    .summary("measure nanoseconds per round of every policy")
    .description("Measure how many nanoseconds a round (choose and update) of each policy takes, by number of arms.")
    .option("--json", "print one JSON array of {policy, kernel, arms, alpha, rounds, nsPerRound, bytesPerArm, age} instead of tables")
    .addHelpText("after", HELP)
    .action(async ({ json }) => {
      const built = await benchPolicies(FULL, signal);
      const old = await benchGrowth(FULL, signal);
      if (json) await print(`${JSON.stringify([...built.map(({ result }) => result), ...old])}\n`);
      else await print(`${functionTable(await benchFunctions(FULL, signal))}\n${policyTables(built)}\n${growthTable(old)}`);
    });
  bench
    .command("lab")
    .summary("measure what the lab costs")
    .description("Measure what the lab costs: a run to the bare loop of choose and update, and two workers to two processes. Takes about a minute.")
    .addHelpText("after", "\nExamples:\n  $ tsallis bench lab\n")
    .action(async () => (await import("./benchLab.js")).benchLab(signal));
  bench
    .command("fleet")
    .summary("measure what a fleet costs")
    .description(
      "Measure what a fleet costs: workers to bare processes and to threads, what a chunk loses to the queue, and how much the queue bears.",
    )
    .addOption(queueOption())
    .addHelpText("after", FLEET_HELP)
    .action(async ({ queue }) => (await import("./benchFleet.js")).benchFleet(queue, signal));
  bench
    .command("router")
    .summary("compare the router with the rules that people use")
    .description(
      "Compare the router with round robin, LiteLLM's last-10 mean, viem's rank, EWMA with probes, peak-EWMA with two choices and UCB1, in simulated time: eight scenarios, 20,000 requests each.",
    )
    .option("--seeds <number>", "play with the seeds 1 to this number", "60")
    .addOption(new Option("--servers", "instead, set the router's dispatcher beside undici's BalancedPool on real local servers").conflicts("seeds"))
    .option("--json", "print JSON instead of tables: an array of {scenario, rule, mean, p99, share}, or with --servers {servers, overhead}")
    .addHelpText("after", ROUTER_HELP)
    .action(async ({ seeds, servers }, command) => {
      // Commander gives --json to the parent, which knows it too.
      const { json = false } = command.optsWithGlobals();
      if (servers) return (await import("./routerBench/benchServers.js")).benchServers({ json }, signal);
      const { benchRouter } = await import("./routerBench/benchRouter.js");
      await benchRouter({ seeds: numberOrText(seeds), json }, signal);
    });
  bench
    .command("fuzz")
    .summary("look for random worlds in which a policy gets stuck")
    .description(
      "Play 20,000 rounds in each of many random worlds: the default policy, and beside it the others that the guide recommends, each in worlds that meet the condition under which it does.",
    )
    .option("--worlds <number>", "play so many worlds", "1000")
    .option("--first <number>", "the number of the first world; with --worlds 1 the only one", "1")
    .option("--policy <spec>", "play this policy alone: a name, or JSON; what it must be told and does not have, it is told")
    .option("--json", "print JSON instead of a table: an array of {policy, worlds, told, played, stuck, stuckWorlds, mean, q99, worst, worstWorld}")
    .addHelpText("after", FUZZ_HELP)
    .action(async ({ worlds, first, policy }, command) => {
      const { json = false } = command.optsWithGlobals();
      const { benchFuzz } = await import("./fuzzBench/benchFuzz.js");
      await benchFuzz({ worlds: numberOrText(worlds), first: numberOrText(first), policy, json }, signal);
    });
}
