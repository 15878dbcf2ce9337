import { stream } from "tsallis";

/** How often a bootstrap draws again: the ends of a 95 % interval then lie at the 50th of 2,000 values from either side. */
export const RESAMPLES = 2000;

/** Which of `size` observations each of `count` resamples holds, `size` indices after one another, with replacement. */
export interface Resamples {
  readonly size: number;
  readonly count: number;
  readonly indices: Uint32Array;
}

/** The resamples of so many observations. */
export type Resampler = (size: number) => Resamples;

/**
 * Draws the resamples of each size once and hands the same out again. All curves of one size are therefore resampled alike: a band is smooth
 * along its checkpoints, and what has been matched by seed stays matched.
 */
export function createResampler(seed: number, ...labels: readonly string[]): Resampler {
  const drawn = new Map<number, Resamples>();
  return (size) => {
    let resamples = drawn.get(size);
    if (resamples === undefined) {
      const rng = stream(seed, "bootstrap", ...labels, size);
      const indices = Uint32Array.from({ length: size * RESAMPLES }, () => Math.floor(rng.uniform() * size));
      resamples = { size, count: RESAMPLES, indices };
      drawn.set(size, resamples);
    }
    return resamples;
  };
}
