import type { Estimate } from "tsallis/statistics";
import { meanCurve } from "./meanCurve.js";
import { type BySeed, matchedSeeds } from "./pairedComparison.js";
import { logLogSlope, powerSlope } from "./powerSlope.js";
import type { Resampler } from "./resamples.js";

/** One value of a sweep, its results, and the theoretical bound. */
export interface SweepSample {
  readonly value: number | string;
  /** Final pseudo-regret by seed. */
  readonly finals: BySeed;
  /** The bound at this value; null if none applies. */
  readonly bound: number | null;
}

export interface SweepSlope extends Estimate {
  /** The slope of the same regression on the bounds; null if a bound is missing. */
  readonly theory: number | null;
  /** The number of seeds that all values have; the others are left out. */
  readonly seeds: number;
}

/**
 * How the mean at the horizon grows with the swept value: the slope of its logarithm on the logarithm of the value. Runs with the same seed share
 * their random numbers, so whole seeds are resampled, for all values together. Null if a value is not a positive number, or if the means have no
 * slope.
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
