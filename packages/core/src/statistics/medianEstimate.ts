import type { Estimate } from "./interval.js";
import { quantileOfSorted } from "./quantile.js";

const LEVEL = 0.025;

/**
 * The median of ascending numbers with an interval between two of them: the number of values below the median of any distribution is binomial with probability
 * 1/2, so that the interval has at least 95 % whatever the distribution (David and Nagaraja, Order Statistics, section 7.1). Needs six numbers; of fewer, the
 * interval is all of them.
 */
export function medianEstimate(sorted: Float64Array): Estimate {
  const { length } = sorted;
  const rank = lowRank(length);
  return { estimate: quantileOfSorted(sorted, 0.5), low: sorted[rank]!, high: sorted[length - 1 - rank]! };
}

/** The largest r >= 0 with P(at most r of n coins show heads) <= 2.5 %, as a place from 0 on; 0 if there is none. */
function lowRank(n: number): number {
  // Weights in units of the middle one; 2^-n is no double for large n. Below 1e-18 they add nothing.
  const middle = Math.floor(n / 2);
  const weights: number[] = [];
  for (let heads = middle, weight = 1; heads >= 0 && weight > 1e-18; heads--) {
    weights.push(weight);
    weight *= heads / (n - heads + 1);
  }
  const below = weights.reduceRight((sum, weight) => sum + weight, 0);
  const total = n % 2 === 1 ? 2 * below : 2 * below - weights[0]!;
  let tail = 0;
  for (let i = weights.length - 1; i >= 0; i--) {
    tail += weights[i]!;
    if (tail > LEVEL * total) return Math.max(0, middle - i - 1);
  }
  return 0;
}
