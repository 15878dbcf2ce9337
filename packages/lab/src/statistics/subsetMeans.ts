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
  const found = columns.map(() => ({ smaller: new Float64Array(pairs), larger: new Float64Array(pairs) }));
  const sum = gather(columns);
  const sums = new Float64Array(columns.length);
  const members = new Uint32Array(size);
  let pair = 0;
  for (const piece of subsets()) {
    for (let begin = 0; begin < piece.length; begin += size, pair++) {
      let held = 0;
      for (let i = 0; i < size; i++) {
        members[held] = i;
        held += piece[begin + i]!;
      }
      const whole = held === 0 || held === size;
      sum(members, 0, held, sums);
      for (let c = 0; c < columns.length; c++) {
        // All scores together sum to 0.
        const [a, b] = [sums[c]! / held, -sums[c]! / (size - held)];
        found[c]!.smaller[pair] = whole ? -Infinity : Math.min(a, b);
        found[c]!.larger[pair] = whole ? Infinity : Math.max(a, b);
      }
    }
  }
  return found;
}
