import { gather } from "./gather.js";
import type { Resamples } from "./resamples.js";

/** The means of random subsets and of their complements: the smaller and the larger of each pair. */
export interface SubsetMeans {
  readonly smaller: Float64Array;
  readonly larger: Float64Array;
}

/**
 * For each column of scores, its means in each pair: Hartigan's typical values ("Using subsample values as typical values", JASA 64, 1969). Flipping the signs of value - c in a subset leaves their sum
 * at least as far from 0 exactly if c lies between the means of the subset and of its complement. So these means are the sign-flip test for all c at
 * once, and the interval between their quantiles is exact for every symmetric distribution, however heavy its tails. For the empty subset every c lies
 * between.
 */
export function subsetMeans(columns: readonly Float64Array[], { size, pairs, subsets }: Resamples): SubsetMeans[] {
  const { sums, lengths: held } = gather(columns, subsets(), pairs);
  return sums.map((ofColumn) => {
    const [smaller, larger] = [new Float64Array(pairs), new Float64Array(pairs)];
    for (let i = 0; i < pairs; i++) {
      // All scores together sum to 0.
      const [a, b] = [ofColumn[i]! / held[i]!, -ofColumn[i]! / (size - held[i]!)];
      const whole = held[i] === 0 || held[i] === size;
      smaller[i] = whole ? -Infinity : Math.min(a, b);
      larger[i] = whole ? Infinity : Math.max(a, b);
    }
    return { smaller, larger };
  });
}
