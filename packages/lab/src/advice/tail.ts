import type { Estimate } from "../statistics/interval.js";
import { FEWEST_LOSSES } from "./armLosses.js";
import { Z95 } from "./confidence.js";
import { type Excesses, excesses, pooledExcesses } from "./excesses.js";
import { hill } from "./hill.js";

/** The tail of some values by Hill's estimate. */
export interface Tail {
  /** The number of values on this side. */
  readonly values: number;
  /** The number of largest values that make up the tail. */
  readonly k: number;
  readonly hill: Estimate;
}

/** The common tail of several samples, each positive and in ascending order; null if there are too few values. */
export function tailOf(samples: readonly Float64Array[]): Tail | null {
  const values = count(samples);
  const tail = tailExcesses(samples, values);
  return tail === null ? null : { values, k: tail.k, hill: hill(tail, Z95) };
}

/** A tail holds at most one tenth of the values, so a sample of fewer than ten values has none. */
const TENTH = 10;

/**
 * The excesses over the k = sqrt(n) largest of n values; each sample contributes its share, at least one value. For one sample among others, `values`
 * is the size of all samples together. k is fixed and not chosen by looking at the estimates, so that the intervals keep their meaning. The exponent
 * 1/2 is below the one with the smallest mean square error, so that the bias stays small beside the interval even for Lomax and Student laws, whose
 * tails become powers only far out.
 */
export function tailExcesses(samples: readonly Float64Array[], values = count(samples)): Excesses | null {
  if (values < FEWEST_LOSSES) return null;
  const share = 1 / Math.sqrt(values);
  const parts = samples.filter(({ length }) => length >= TENTH).map((sorted) => ({ sorted, k: Math.max(1, Math.round(sorted.length * share)) }));
  return parts.length === 0 ? null : pooledExcesses(parts.map(({ sorted, k }) => excesses(sorted, k)));
}

function count(samples: readonly Float64Array[]): number {
  return samples.reduce((sum, { length }) => sum + length, 0);
}
