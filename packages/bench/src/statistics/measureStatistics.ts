import { setImmediate } from "node:timers/promises";
import { type Coverage, exponentCoverage, meanCoverage } from "./coverage.js";
import { type FalseAlarms, pairedAlarms, type UnpairedAlarms, unpairedAlarms } from "./falseAlarms.js";
import { GROWING_CURVES } from "./growingCurves.js";
import { type FalseLeads, falseLeads, LEAD_DISTRIBUTIONS, LEAD_SEEDS, POLICIES, SHIFTS, type TrueLeads, trueLeads, UNEQUAL } from "./leads.js";
import { SAMPLE_DISTRIBUTIONS, sampleDistribution } from "./sampleDistributions.js";

/** How well the lab's intervals and tests do where the truth is known. */
export interface StatisticsResult {
  readonly coverage: readonly Coverage[];
  readonly falseAlarms: readonly FalseAlarms[];
  readonly unpaired: readonly UnpairedAlarms[];
  /** How often a true difference of 0.8 deviations is found. */
  readonly power: FalseAlarms;
  /** The marks "clear" of an environment: how often one is wrong if all policies are equal, in one distribution and in unequal ones, and how often the best is found. */
  readonly falseLeads: readonly FalseLeads[];
  readonly unequalLeads: readonly FalseLeads[];
  readonly trueLeads: readonly TrueLeads[];
}

export const SEEDS = [5, 10, 20, 40];

const UNPAIRED: readonly (readonly [readonly [number, number], number])[] = [
  [[10, 10], 3],
  [[20, 20], 1],
  [[20, 20], 3],
  [[40, 40], 3],
  [[10, 30], 1],
  [[10, 30], 3],
  [[30, 10], 3],
];

const UNPAIRED_DISTRIBUTIONS = ["normal", "exponential", "log-normal, scale 1", "rare disasters"].map(sampleDistribution);

/** In standard deviations. */
const SHIFT = 0.8;

/** The trials are divided by this for exponents: a trial of an exponent costs as much as thirteen of a mean. */
const DEARER = 4;

const UNEQUAL_POLICIES = POLICIES.slice(0, 3);

/** Stops between two cells if the signal is aborted. Calls `step` after each of the `CELLS` cells. */
export async function measureStatistics(trials: number, signal: AbortSignal, step: () => void = () => {}): Promise<StatisticsResult> {
  const cell = async <T>(measured: () => T): Promise<T> => {
    await setImmediate();
    signal.throwIfAborted();
    const found = measured();
    step();
    return found;
  };
  const coverage: Coverage[] = [];
  const falseAlarms: FalseAlarms[] = [];
  const unpaired: UnpairedAlarms[] = [];
  for (const distribution of SAMPLE_DISTRIBUTIONS) {
    for (const seeds of SEEDS) {
      coverage.push(await cell(() => meanCoverage(distribution, seeds, trials)));
      falseAlarms.push(await cell(() => pairedAlarms(distribution, seeds, trials)));
    }
  }
  for (const curves of GROWING_CURVES) {
    for (const seeds of SEEDS) coverage.push(await cell(() => exponentCoverage(curves, seeds, Math.ceil(trials / DEARER))));
  }
  for (const distribution of UNPAIRED_DISTRIBUTIONS) {
    for (const [seeds, spread] of UNPAIRED) unpaired.push(await cell(() => unpairedAlarms(distribution, seeds, spread, trials)));
  }
  const power = await cell(() => pairedAlarms(SAMPLE_DISTRIBUTIONS[0]!, 20, trials, SHIFT));
  const leads = { falseLeads: [] as FalseLeads[], unequalLeads: [] as FalseLeads[], trueLeads: [] as TrueLeads[] };
  for (const name of LEAD_DISTRIBUTIONS) {
    for (const policies of POLICIES) {
      for (const seeds of LEAD_SEEDS)
        leads.falseLeads.push(await cell(() => falseLeads(name, () => sampleDistribution(name), policies, seeds, trials)));
    }
  }
  for (const [name, regrets] of Object.entries(UNEQUAL)) {
    for (const policies of UNEQUAL_POLICIES) {
      for (const seeds of LEAD_SEEDS) leads.unequalLeads.push(await cell(() => falseLeads(name, regrets, policies, seeds, trials)));
    }
  }
  for (const each of SHIFTS) leads.trueLeads.push(await cell(() => trueLeads(...each, trials)));
  return { coverage, falseAlarms, unpaired, power, ...leads };
}

/** The number of steps. */
export const CELLS =
  2 * SAMPLE_DISTRIBUTIONS.length * SEEDS.length +
  GROWING_CURVES.length * SEEDS.length +
  UNPAIRED_DISTRIBUTIONS.length * UNPAIRED.length +
  1 +
  LEAD_DISTRIBUTIONS.length * POLICIES.length * LEAD_SEEDS.length +
  Object.keys(UNEQUAL).length * UNEQUAL_POLICIES.length * LEAD_SEEDS.length +
  SHIFTS.length;
