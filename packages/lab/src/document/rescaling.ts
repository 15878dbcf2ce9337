import { elementary, stream } from "tsallis";

/** How the policies of a run see its losses: scale * loss + shift. @inline */
export interface Rescaling {
  readonly scale: number;
  readonly shift: number;
}

/**
 * Units that no policy can know: losses are shifted by v times sigma, v uniform in [-10, 10], and then multiplied by 10^u, u uniform in [-2, 2]. Both
 * depend on the seed alone, so they are the same for every policy. `sigma` is what the environment promises at its declared alpha, a size that
 * losses have whether or not their variance is finite.
 */
export function rescalingOf(sigma: number, seed: number): Rescaling {
  const rng = stream(seed, "rescale");
  const scale = elementary.pow(10, 4 * rng.uniform() - 2);
  return { scale, shift: scale * (20 * rng.uniform() - 10) * sigma };
}
