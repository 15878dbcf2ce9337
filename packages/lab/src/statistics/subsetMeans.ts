import type { Resamples } from "./resamples.js";

/** The means of random subsets and of their complements: the smaller and the larger of each pair. */
export interface SubsetMeans {
  readonly smaller: Float64Array;
  readonly larger: Float64Array;
}

/**
 * Hartigan's typical values ("Using subsample values as typical values", JASA 64, 1969). Flipping the signs of value - c in a subset leaves their sum
 * at least as far from 0 exactly if c lies between the means of the subset and of its complement. So these means are the sign-flip test for all c at
 * once, and the interval between their quantiles is exact for every symmetric law, however heavy its tails. For the empty subset every c lies
 * between.
 */
export function subsetMeans(scores: Float64Array, { size, pairs, subsets }: Resamples): SubsetMeans {
  const smaller = new Float64Array(pairs);
  const larger = new Float64Array(pairs);
  let next = 0;
  for (let pair = 0; pair < pairs; pair++) {
    let sum = 0;
    let held = 0;
    for (let i = 0; i < size; i++) {
      const holds = subsets[next++]!;
      held += holds;
      sum += holds * scores[i]!;
    }
    const whole = held === 0 || held === size;
    // All scores together sum to 0.
    const [a, b] = [sum / held, -sum / (size - held)];
    smaller[pair] = whole ? -Infinity : Math.min(a, b);
    larger[pair] = whole ? Infinity : Math.max(a, b);
  }
  return { smaller, larger };
}
