import { bootstrapMeans } from "./bootstrapMeans.js";
import type { Interval } from "./interval.js";
import { mean } from "./mean.js";
import { meanInterval } from "./meanInterval.js";
import type { Resamples } from "./resamples.js";

/** A mean over seeds at each of several places (checkpoints, values of a sweep), with the same mean in every resample of the seeds. */
export interface MeanCurve {
  readonly seeds: number;
  /** One per place. */
  readonly means: readonly number[];
  /** One per place, from the same resamples of whole seeds. */
  readonly resampled: readonly Float64Array[];
  /** One per place: the values by seed behind the mean. */
  readonly columns: readonly Float64Array[];
  readonly resamples: Resamples;
}

/** `curves`: one per seed, all of the same length. */
export function meanCurve(curves: readonly ArrayLike<number>[], resamples: Resamples): MeanCurve {
  const places = curves[0]?.length ?? 0;
  const means: number[] = [];
  const resampled: Float64Array[] = [];
  const columns: Float64Array[] = [];
  for (let place = 0; place < places; place++) {
    const column = Float64Array.from(curves, (curve) => curve[place]!);
    columns.push(column);
    means.push(mean(column));
    resampled.push(bootstrapMeans(column, resamples));
  }
  return { seeds: curves.length, means, resampled, columns, resamples };
}

/** The curve at some of its places. */
export function partOf(curve: MeanCurve, from: number, to: number): MeanCurve {
  const [means, resampled, columns] = [curve.means.slice(from, to), curve.resampled.slice(from, to), curve.columns.slice(from, to)];
  return { ...curve, means, resampled, columns };
}

/** The 95 % interval of the mean at one place. */
export function intervalAt({ columns, resamples }: MeanCurve, place: number): Interval {
  return meanInterval(columns[place]!, resamples);
}
