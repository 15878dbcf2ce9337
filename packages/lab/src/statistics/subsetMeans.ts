import type { Resamples } from "./resamples.js";

/** The means of random subsets and of their complements: of each pair the smaller and the larger. */
export interface SubsetMeans {
  readonly smaller: Float64Array;
  readonly larger: Float64Array;
}

/**
 * Hartigan's typical values ("Using subsample values as typical values", JASA 64, 1969). To flip the signs of value - c in a subset moves their sum at least as far
 * from 0 as it was just where c lies between the means of the subset and of its complement. So these means are the sign-flip test of all c at once, and the interval
 * between their quantiles is exact for every symmetric law, however heavy its tails. Beside the empty subset every c lies.
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
    // The scores of all add up to 0.
    const [a, b] = [sum / held, -sum / (size - held)];
    smaller[pair] = whole ? -Infinity : Math.min(a, b);
    larger[pair] = whole ? Infinity : Math.max(a, b);
  }
  return { smaller, larger };
}
