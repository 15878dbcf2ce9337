import { expm1 } from "../elementary/expm1.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import { FEWEST_LOSSES } from "./armLosses.js";
import { GeneralisedPareto } from "./generalisedPareto.js";
import type { Estimate } from "./interval.js";

/** A tail by the generalised Pareto distribution. */
export interface ParetoTail {
  /** The number of excesses. */
  readonly k: number;
  readonly shape: Estimate;
  /** The tail index, 1 / shape; Infinity if the shape is not positive. */
  readonly index: Estimate;
}

/** A sample of fewer values has no tail. */
const TENTH = 10;
/** An estimate from fewer excesses is noise. */
const FEWEST = 5;
/** Larger excesses, in units of the threshold, count as this one: sums stay finite. */
const LARGEST = 1e290;

/**
 * The share of n values that counts as the tail: k = n^(2/3) of them, at most a tenth. It is fixed and not chosen by looking at the estimates, so that the intervals keep their
 * meaning. It may be larger than that of Hill's estimate, because the distribution has a scale of its own to fit: it is exact over any threshold for Pareto, Lomax and exponential
 * values, and for Student's the bias stays within the interval.
 */
function tailShare(values: number): number {
  return Math.min(1 / TENTH, pow(values, -1 / 3));
}

/** The tail of one sample of positive values in ascending order, as part of `values` of them. */
export interface Threshold {
  readonly threshold: number;
  /** The values beyond the threshold, which is the next largest; fewer than were asked for, if some are equal to it. */
  readonly beyond: Float64Array;
}

/** Null if the sample is too small to have a tail. */
export function thresholdOf(sorted: Float64Array, values: number): Threshold | null {
  if (sorted.length < TENTH) return null;
  const k = Math.max(1, Math.round(sorted.length * tailShare(values)));
  const threshold = sorted[sorted.length - 1 - k]!;
  return { threshold, beyond: sorted.subarray(sorted.length - k).filter((value) => value > threshold) };
}

/** (value / threshold)^power - 1 for all values beyond their thresholds: relative excesses, so that arms of different scales need no other standardisation. */
export function relativeExcesses(parts: readonly Threshold[], power = 1): Float64Array {
  const excesses = parts.flatMap(({ threshold, beyond }) =>
    Array.from(beyond, (value) => Math.min(LARGEST, expm1(power * log1p((value - threshold) / threshold)))),
  );
  return Float64Array.from(excesses).filter((excess) => excess > 0);
}

/** The common tail of several samples of positive values, each in ascending order; null if too few values are beyond the thresholds. */
export function paretoTailOf(samples: readonly Float64Array[]): ParetoTail | null {
  const values = samples.reduce((sum, { length }) => sum + length, 0);
  if (values < FEWEST_LOSSES) return null;
  const excesses = relativeExcesses(samples.flatMap((sorted) => thresholdOf(sorted, values) ?? []));
  if (excesses.length < FEWEST) return null;
  const { shape } = new GeneralisedPareto(excesses);
  return { k: excesses.length, shape, index: { estimate: inverse(shape.estimate), low: inverse(shape.high), high: inverse(shape.low) } };
}

function inverse(shape: number): number {
  return shape > 0 ? 1 / shape : Infinity;
}
