import type { Command } from "@commander-js/extra-typings";
import { print } from "@tsallis/cli/dist/text/output.js";

/** A repetition of a cell takes tens of milliseconds, or a few seconds with many arms. */
const FULL = {
  repetitions: 9,
  kernels: [
    { arms: 2, dense: 300_000, indexed: 300_000 },
    { arms: 10, dense: 300_000, indexed: 300_000 },
    { arms: 48, dense: 10_000, indexed: 300_000 },
    { arms: 100, dense: 5_000, indexed: 300_000 },
    { arms: 1_000, dense: 2_000, indexed: 2_000_000 },
    { arms: 10_000, dense: 500, indexed: 2_000_000 },
    { arms: 100_000, dense: 100, indexed: 2_000_000 },
    { arms: 1_000_000, dense: 10, indexed: 2_000_000 },
  ],
  policies: [
    { arms: 2, rounds: 100_000, plain: 50_000 },
    { arms: 10, rounds: 100_000, plain: 25_000 },
    { arms: 48, rounds: 100_000, plain: 5_000 },
    { arms: 100, rounds: 100_000, plain: 5_000 },
    { arms: 1_000, rounds: 100_000, plain: 3_000 },
  ],
  growth: { arms: 10, ages: [10_000, 100_000, 1_000_000] },
  calls: 500_000,
};

const HELP = `
HTINF is timed under both kernels at 2 to 1,000,000 arms, the other policies under the kernel that suits the number of arms. Each figure is the median of
${FULL.repetitions} interleaved repetitions (3 from 1,000 arms on), after a warm-up. A repetition plays a fresh policy against losses that were drawn before
the clock started. Then every policy plays 1,000,000 rounds at 10 arms, to show that a round costs no more for an old policy than for a young one.
The benchmark takes about six minutes; close other programs for steady figures.

Examples:
  $ npm run bench
  $ npm run -s bench -- --json > bench.json
`;

/** The benchmark that runs if no other is named. */
export function addPolicies(program: Command, signal: AbortSignal): void {
  program
    .description("Measure how many nanoseconds a round (choose and update) of each policy takes, by number of arms.")
    .option("--json", "print one JSON array of {policy, kernel, arms, alpha, rounds, nsPerRound, bytesPerArm, age} instead of tables")
    .addHelpText("after", HELP)
    .action(async ({ json }) => {
      const { benchPolicies } = await import("../policies/benchPolicies.js");
      const { benchGrowth } = await import("../policies/benchGrowth.js");
      const { benchFunctions } = await import("../policies/benchFunctions.js");
      const { functionTable, growthTable, policyTables } = await import("../policies/benchTables.js");
      const built = await benchPolicies(FULL, signal);
      const old = await benchGrowth(FULL, signal);
      if (json) await print(`${JSON.stringify([...built.map(({ result }) => result), ...old])}\n`);
      else await print(`${functionTable(await benchFunctions(FULL, signal))}\n${policyTables(built)}\n${growthTable(old)}`);
    });
}
