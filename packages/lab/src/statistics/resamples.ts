import { stream } from "tsallis";

/** How often a bootstrap draws again: the ends of a 95 % interval then lie at the 50th of 2,000 values from either side. */
export const RESAMPLES = 2000;

/** The same for a p value, which Holm's correction multiplies by the number of comparisons: it reaches down to 2 / 10,000. */
export const TEST_RESAMPLES = 9999;

/** What a sample of `size` observations is arranged into, again and again. */
export interface Resamples {
  readonly size: number;
  readonly count: number;
  /** Which observations each of `count` resamples holds, `size` indices after one another, with replacement. */
  readonly indices: Uint32Array;
  /** How many random subsets there are: half of `count`, since the complement of each is one as well. */
  readonly pairs: number;
  /** 1 for the observations that a subset holds and 0 for the others, `size` numbers after one another. */
  readonly subsets: Uint8Array;
}

/** The resamples of so many observations. */
export type Resampler = (size: number, count?: number) => Resamples;

/**
 * Draws the resamples of each size once and hands the same out again. All curves of one size are therefore resampled alike: a band is smooth
 * along its checkpoints, and what has been matched by seed stays matched.
 */
export function createResampler(seed: number, ...labels: readonly string[]): Resampler {
  const drawn = new Map<string, Resamples>();
  return (size, count = RESAMPLES) => {
    const key = `${size} ${count}`;
    let resamples = drawn.get(key);
    if (resamples === undefined) {
      const rng = stream(seed, "bootstrap", ...labels, size);
      const indices = new Uint32Array(size * count);
      for (let i = 0; i < indices.length; i++) indices[i] = Math.floor(rng.uniform() * size);
      const pairs = Math.floor(count / 2);
      const coin = stream(seed, "subsets", ...labels, size);
      const subsets = new Uint8Array(size * pairs);
      for (let i = 0; i < subsets.length; i++) subsets[i] = coin.uniform() < 0.5 ? 1 : 0;
      resamples = { size, count, indices, pairs, subsets };
      drawn.set(key, resamples);
    }
    return resamples;
  };
}
