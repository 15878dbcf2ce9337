import type { Command } from "@commander-js/extra-typings";
import type { PolicySpec } from "tsallis";
import { FUNCTIONS } from "./callTimer.js";
import { type Cell, medianTimes } from "./measurement.js";
import { print } from "./output.js";
import { Progress } from "./progress.js";
import { SIGMA } from "./roundTimer.js";
import { formatTable } from "./textTable.js";

/** How much is timed. */
export interface BenchSize {
  readonly repetitions: number;
  /** Rounds per repetition, by number of arms. */
  readonly rounds: ReadonlyMap<number, number>;
  /** Calls of an elementary function per repetition. */
  readonly calls: number;
}

/** Tens of milliseconds per cell and repetition, less than a minute in all. */
const FULL: BenchSize = {
  repetitions: 11,
  rounds: new Map([
    [2, 100_000],
    [10, 50_000],
    [100, 15_000],
    [1000, 3_000],
  ]),
  calls: 500_000,
};

const HELP = `
Each figure is the median of ${FULL.repetitions} interleaved repetitions, after a warm-up. A repetition plays a fresh policy against losses that were drawn
before the clock started, so the environment costs nothing. Takes less than a minute; close other programs for steady figures.

Examples:
  $ tsallis bench
  $ tsallis bench --json > bench.json
`;

/** One figure of the bench, as --json prints it. */
export interface BenchResult {
  readonly policy: string;
  readonly arms: number;
  readonly alpha: number | null;
  /** Timed rounds per repetition. */
  readonly rounds: number;
  readonly nsPerRound: number;
}

const SPECS: readonly ((rounds: number) => PolicySpec)[] = [
  () => ({ policy: "htinf", alpha: 2, sigma: SIGMA }),
  () => ({ policy: "htinf", alpha: 1.5, sigma: SIGMA }),
  () => ({ policy: "htinf", alpha: 1.7, sigma: SIGMA }),
  () => ({ policy: "opttinf" }),
  (rounds) => ({ policy: "adatinf", horizon: rounds }),
  () => ({ policy: "ada2tinf" }),
  () => ({ policy: "uniform" }),
];

export function addBench(program: Command, signal: AbortSignal): void {
  program
    .command("bench")
    .summary("measure nanoseconds per round of every policy")
    .description("Measure how many nanoseconds a round (choose and update) of each policy takes at 2, 10, 100 and 1000 arms.")
    .option("--json", "print one JSON array of {policy, arms, alpha, rounds, nsPerRound} instead of tables")
    .addHelpText("after", HELP)
    .action(async ({ json }) => {
      const results = await benchPolicies(FULL, signal);
      if (json) await print(`${JSON.stringify(results)}\n`);
      else await print(`${policyTable(results)}\n${functionTable(await benchFunctions(FULL, signal))}`);
    });
}

/** Times every policy at every number of arms. */
export async function benchPolicies({ rounds, repetitions }: BenchSize, signal: AbortSignal): Promise<BenchResult[]> {
  const cells = SPECS.flatMap((specOf, row) =>
    [...rounds].map(([arms, count]) => ({ row: String(row), task: { kind: "rounds" as const, spec: specOf(count), arms, rounds: count } })),
  );
  const times = await timed("policies", cells, repetitions, signal);
  return cells.map(({ task: { spec, arms, rounds } }, i) => ({
    policy: spec.policy,
    arms,
    alpha: (spec.alpha as number | undefined) ?? null,
    rounds,
    nsPerRound: Number(times[i]!.toFixed(1)),
  }));
}

/** Times the elementary functions: name, nanoseconds of the library's, nanoseconds of the engine's. */
export async function benchFunctions({ calls, repetitions }: BenchSize, signal: AbortSignal): Promise<[string, number, number][]> {
  const names = Object.keys(FUNCTIONS);
  const cells = names.flatMap((name) =>
    [false, true].map((engine) => ({ row: `${name} ${engine}`, task: { kind: "calls" as const, name, engine, calls } })),
  );
  const times = await timed("elementary functions", cells, repetitions, signal);
  return names.map((name, i) => [name, times[2 * i]!, times[2 * i + 1]!]);
}

async function timed(label: string, cells: readonly Cell[], repetitions: number, signal: AbortSignal): Promise<number[]> {
  const progress = new Progress(label, cells.length * (repetitions + 1));
  try {
    return await medianTimes(cells, repetitions, signal, () => progress.step());
  } finally {
    progress.stop();
  }
}

function policyTable(results: readonly BenchResult[]): string {
  const armCounts = [...new Set(results.map(({ arms }) => arms))];
  const rows = new Map<string, string[]>();
  for (const { policy, alpha, nsPerRound } of results) {
    const name = alpha === null ? policy : `${policy}, alpha ${alpha}`;
    rows.set(name, [...(rows.get(name) ?? [name]), nsPerRound.toFixed(0)]);
  }
  return `Nanoseconds per round, choose and update\n${formatTable(["policy", ...armCounts.map((arms) => `K = ${arms}`)], [...rows.values()])}`;
}

function functionTable(times: readonly [string, number, number][]): string {
  const rows = times.map(([name, ours, engine]) => [name, ours.toFixed(1), engine.toFixed(1), (ours / engine).toFixed(2)]);
  return `Nanoseconds per call of the elementary functions, loop included\n${formatTable(["function", "tsallis", "Math", "ratio"], rows)}`;
}
