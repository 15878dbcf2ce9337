import { quantileOfSorted } from "../statistics/quantile.js";

/**
 * A median further from 0 than this many interquartile ranges hides the tail from the estimators, which work with ratios. Sizes are then distances
 * from the median.
 */
const FAR = 3;

/** Distances of the losses from their centre, in ascending order: of all losses, of those above the centre and of those below. */
export interface Sizes {
  /** 0, or the median if 0 is far from the losses. A shift by a constant changes no tail index. */
  readonly centre: number;
  readonly both: Float64Array;
  readonly right: Float64Array;
  readonly left: Float64Array;
}

export function sizesOf(losses: Float64Array): Sizes {
  const sorted = losses.slice().sort();
  const median = quantileOfSorted(sorted, 0.5);
  const spread = quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25);
  const centre = Math.abs(median) > FAR * spread ? median : 0;
  const right = sorted.filter((loss) => loss > centre).map((loss) => loss - centre);
  const left = sorted
    .filter((loss) => loss < centre)
    .map((loss) => centre - loss)
    .reverse();
  const both = new Float64Array(right.length + left.length);
  both.set(left);
  both.set(right, left.length);
  return { centre, both: both.sort(), right, left };
}
