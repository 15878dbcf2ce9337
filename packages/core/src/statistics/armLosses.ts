import { quantileOfSorted } from "./quantile.js";

/** The observed losses of one arm, in order of arrival. */
export interface ArmLosses {
  readonly name: string;
  readonly losses: Float64Array;
}

/** A tail index needs at least this many values. With 100 values the tail has ten, and an estimate of 1.5 then means anything from 0.7 to 2.6. */
export const FEWEST_LOSSES = 100;

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

/** Gains count if they make up at least this share of all distances from the median: losses that are as large and as rare as the gains hide them. */
const LEAST_SHARE = 2 / 3;

/**
 * How rare an arm's gains are: they come from one loss in this many. A gain g is the distance of a loss below the median, and the answer is E g^2 / (E g)^2: for gains of
 * one size exactly one over their probability, and more if their sizes differ. Null if there are none, or if the losses above the median outweigh them.
 */
export function gainRarity(losses: Float64Array): number | null {
  const sorted = losses.slice().sort();
  const median = quantileOfSorted(sorted, 0.5);
  // In units of the largest gain, whose square may overflow a double.
  const largest = median - sorted[0]!;
  if (!(largest > 0)) return null;
  let [gains, squares, distances] = [0, 0, 0];
  for (const loss of sorted) {
    const distance = (median - loss) / largest;
    const gain = Math.max(0, distance);
    gains += gain;
    squares += gain * gain;
    distances += Math.abs(distance);
  }
  return gains >= LEAST_SHARE * distances ? (losses.length * squares) / (gains * gains) : null;
}
