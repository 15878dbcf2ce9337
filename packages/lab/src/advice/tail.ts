import type { Estimate } from "../statistics/interval.js";
import { FEWEST_LOSSES } from "./armLosses.js";
import { Z95 } from "./confidence.js";
import { type Excesses, excesses, pooledExcesses } from "./excesses.js";
import { hill } from "./hill.js";
import { momentTailIndex } from "./momentTailIndex.js";

/** The tail of some values: how heavy, by two estimators, with 95 % intervals. */
export interface Tail {
  /** How many values there are on this side. */
  readonly values: number;
  /** How many of them, the largest, are the tail. */
  readonly k: number;
  readonly hill: Estimate;
  readonly moment: Estimate | null;
}

/** Null where there are too few values. Of several samples, each ascending and positive: their common tail. */
export function tailOf(samples: readonly Float64Array[]): Tail | null {
  const values = count(samples);
  const tail = tailExcesses(samples, values);
  return tail === null ? null : { values, k: tail.k, hill: hill(tail, Z95), moment: momentTailIndex(tail) };
}

/** A tail is a tenth of its values at most, so that of fewer than ten nothing is taken. */
const TENTH = 10;

/**
 * The k = sqrt(n) largest of n values: of each sample its share, but one at least. One sample among others is given with the number of all `values`.
 * Fixed, not chosen by looking at the estimates: then the intervals mean what they say. The exponent 1/2 is below that of the smallest mean square
 * error, so that the bias is small beside the interval even for Lomax and Student laws, whose tails become a power late.
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
