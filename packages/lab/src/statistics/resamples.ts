import { stream } from "tsallis";

/** The number of bootstrap resamples: the ends of a 95 % interval are then at the 50th of 2,000 values from either side. */
export const RESAMPLES = 2000;

/** The number of resamples for a p value, which Holm's correction multiplies by the number of comparisons: p reaches down to 2 / 10,000. */
export const TEST_RESAMPLES = 9999;

/** The random arrangements of a sample of `size` observations. */
export interface Resamples {
  readonly size: number;
  readonly count: number;
  /** The observations in each of `count` resamples, drawn with replacement: `size` indices for each, one resample after the other. */
  readonly indices: Uint32Array;
  /** The number of random subsets: half of `count`, because the complement of each is a subset as well. */
  readonly pairs: number;
  /** 1 for each observation in a subset and 0 for the others: `size` numbers for each subset, one subset after the other. */
  readonly subsets: Uint8Array;
}

/** Returns the resamples of `size` observations. */
export type Resampler = (size: number, count?: number) => Resamples;

/**
 * Draws the resamples of each size once and reuses them. All curves of one size are therefore resampled alike: a band is smooth along its
 * checkpoints, and observations matched by seed stay matched.
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
