import { bootstrapMeans } from "./bootstrapMeans.js";
import { mean } from "./mean.js";
import type { Resamples } from "./resamples.js";

/** A mean over seeds at each of several places (checkpoints, values of a sweep), with the same mean in every resample of the seeds. */
export interface MeanCurve {
  readonly seeds: number;
  /** One per place. */
  readonly means: readonly number[];
  /** One per place; at each place the same resamples of whole seeds. */
  readonly resampled: readonly Float64Array[];
}

/** `curves`: one per seed, all of one length. */
export function meanCurve(curves: readonly ArrayLike<number>[], resamples: Resamples): MeanCurve {
  const places = curves[0]?.length ?? 0;
  const means: number[] = [];
  const resampled: Float64Array[] = [];
  const column = new Float64Array(curves.length);
  for (let place = 0; place < places; place++) {
    for (const [seed, curve] of curves.entries()) column[seed] = curve[place]!;
    means.push(mean(column));
    resampled.push(bootstrapMeans(column, resamples));
  }
  return { seeds: curves.length, means, resampled };
}

/** The curve at some of its places. */
export function partOf(curve: MeanCurve, from: number, to: number): MeanCurve {
  return { seeds: curve.seeds, means: curve.means.slice(from, to), resampled: curve.resampled.slice(from, to) };
}
