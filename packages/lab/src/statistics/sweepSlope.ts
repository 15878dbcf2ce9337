import type { Estimate } from "./interval.js";
import { type BySeed, matchedSeeds } from "./matchedSeeds.js";
import { meanCurve } from "./meanCurve.js";
import { logLogSlope, powerSlope } from "./powerSlope.js";
import type { Resampler } from "./resamples.js";

/** One value of a sweep, what it gave, and what the theory allows. */
export interface SweepSample {
  readonly value: number | string;
  /** Final pseudo-regret by seed. */
  readonly finals: BySeed;
  /** The bound at this value; null where none applies. */
  readonly bound: number | null;
}

export interface SweepSlope extends Estimate {
  /** The slope of the same regression on the bounds; null where one is missing. */
  readonly theory: number | null;
  /** Seeds that all values have; the others are left out. */
  readonly seeds: number;
}

/**
 * How the mean at the horizon grows with the swept value: the slope of its logarithm on the value's. Runs of one seed share their random numbers, so
 * whole seeds are resampled, for all values together. Null where a value is not a positive number, or the means have no slope.
 */
export function sweepSlope(samples: readonly SweepSample[], resampler: Resampler): SweepSlope | null {
  const values = samples.flatMap(({ value }) => (typeof value === "number" ? [value] : []));
  if (values.length < Math.max(2, samples.length)) return null;
  const seeds = matchedSeeds(samples.map(({ finals }) => finals));
  if (seeds.length < 2) return null;
  const curves = seeds.map((seed) => samples.map(({ finals }) => finals.get(seed)!));
  const slope = powerSlope(values, meanCurve(curves, resampler(seeds.length)));
  if (slope === null) return null;
  const bounds = samples.flatMap(({ bound }) => (bound === null ? [] : [bound]));
  return { ...slope, theory: bounds.length === samples.length ? logLogSlope(values, bounds) : null, seeds: seeds.length };
}
