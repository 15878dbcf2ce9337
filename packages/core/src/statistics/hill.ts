import { log } from "../elementary/log.js";
import { FEWEST_LOSSES } from "./armLosses.js";
import { type Estimate, SINGLE } from "./interval.js";

/** A tail holds at most one tenth of the values, so a sample of fewer than ten values has none. */
const TENTH = 10;
/** Eight shares per decade, from one half downwards. */
const DIGITS = [5, 4, 3, 2.5, 2, 1.6, 1.25, 1] as const;
/** An estimate from fewer values is noise. */
const FEWEST_IN_TAIL = 5;

/** The sum of ln(value / threshold) over the k largest values. The threshold is the next largest value. */
export interface Excesses {
  readonly k: number;
  readonly first: number;
}

/** The excesses of positive values in ascending order, for k from 1 to their number - 1. */
export function excesses(sorted: Float64Array, k: number): Excesses {
  const threshold = log(sorted[sorted.length - 1 - k]!);
  let first = 0;
  for (let i = sorted.length - k; i < sorted.length; i++) {
    first += log(sorted[i]!) - threshold;
  }
  return { k, first };
}

/** The excesses of several arms, each over its own threshold, so that arms of different scales need no other standardisation. */
export function pooledExcesses(parts: readonly Excesses[]): Excesses {
  return parts.reduce((sum, { k, first }) => ({ k: sum.k + k, first: sum.first + first }));
}

/**
 * Hill's estimate of the tail index ("A simple general approach to inference about the tail of a distribution", Annals of Statistics 3, 1975): the
 * inverse of the mean excess. Beyond the threshold of a Pareto distribution, 2 k index / estimate is chi-square with 2 k degrees of freedom. The interval uses
 * its quantiles by Wilson and Hilferty (PNAS 17, 1931). The estimate is Infinity if the k largest values are all equal.
 */
export function hill({ k, first }: Excesses, z: number): Estimate {
  if (!(first > 0)) return { estimate: Infinity, low: Infinity, high: Infinity };
  const estimate = k / first;
  return { estimate, low: estimate * chiSquareRatio(k, -z), high: estimate * chiSquareRatio(k, z) };
}

/** A quantile of chi-square with 2 k degrees of freedom, divided by 2 k. */
function chiSquareRatio(k: number, z: number): number {
  const root = Math.max(0, 1 - 1 / (9 * k) + z / (3 * Math.sqrt(k)));
  return root * root * root;
}

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
  return tail === null ? null : { values, k: tail.k, hill: hill(tail, SINGLE) };
}

/**
 * The excesses over the k = sqrt(n) largest of n values; each sample contributes its share, at least one value. For one sample among others, `values`
 * is the size of all samples together. k is fixed and not chosen by looking at the estimates, so that the intervals keep their meaning. The exponent
 * 1/2 is below the one with the smallest mean square error, so that the bias stays small compared with the interval even for Lomax and Student distributions, whose
 * tails become powers only far out.
 */
export function tailExcesses(samples: readonly Float64Array[], values = count(samples)): Excesses | null {
  if (values < FEWEST_LOSSES) return null;
  const share = 1 / Math.sqrt(values);
  const parts = samples.filter(({ length }) => length >= TENTH).map((sorted) => ({ sorted, k: Math.max(1, Math.round(sorted.length * share)) }));
  return parts.length === 0 ? null : pooledExcesses(parts.map(({ sorted, k }) => excesses(sorted, k)));
}

/** Hill's estimate with the given share of the values, the largest ones, as the tail. */
export interface HillPoint {
  readonly share: number;
  readonly pooled: Estimate;
  /** In the order of the arms; null for an estimate from fewer than five values. */
  readonly arms: readonly (number | null)[];
}

/**
 * How the estimate depends on where the tail begins. Shares of the values instead of k give arms of different length one axis. The samples are in
 * ascending order.
 */
export function hillPlot(samples: readonly Float64Array[]): HillPoint[] {
  if (count(samples) < FEWEST_LOSSES) return [];
  const points: HillPoint[] = [];
  for (let exponent = -1; ; exponent--) {
    for (const digit of DIGITS) {
      const share = Number(`${digit}e${exponent}`);
      const tails = samples.map((sorted) => tailWith(sorted, Math.round(sorted.length * share)));
      const present = tails.filter((tail) => tail !== null);
      if (present.reduce((sum, { k }) => sum + k, 0) < FEWEST_IN_TAIL) return points;
      const arms = tails.map((tail) => (tail !== null && tail.k >= FEWEST_IN_TAIL ? hill(tail, SINGLE).estimate : null));
      points.push({ share, pooled: hill(pooledExcesses(present), SINGLE), arms });
    }
  }
}

function tailWith(sorted: Float64Array, k: number): Excesses | null {
  return k > 0 && k < sorted.length ? excesses(sorted, k) : null;
}

function count(samples: readonly Float64Array[]): number {
  return samples.reduce((sum, { length }) => sum + length, 0);
}
