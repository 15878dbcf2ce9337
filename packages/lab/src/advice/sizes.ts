import { quantileOfSorted } from "../statistics/quantile.js";

/** A median further from 0 than so many interquartile ranges hides the tail from estimators that count in multiples: sizes are then distances from it. */
const FAR = 3;

/** How far the losses are from their centre, in ascending order: all of them, those above it and those below. */
export interface Sizes {
  /** 0, or the median where 0 is far from the losses. A constant moves no tail index. */
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
