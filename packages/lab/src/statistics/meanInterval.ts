import { type Interval, mean } from "tsallis/statistics";
import { type ResampledMean, resampledMeans } from "./resampledMean.js";
import { oneSidedRank, type Resamples, twoSidedRank } from "./resamples.js";

/** What differs from 0 by less than this part of the mean or the deviation counts as 0. */
const TIE = 1e-12;

/**
 * The 95 % interval of a mean. Each end is the further one of two intervals: that of the studentised bootstrap, which follows skewness, and that of
 * Hartigan's typical values, which holds for symmetric distributions with tails of any weight, where the bootstrap alone covers 88 % at 20 seeds (differences
 * of rare disasters). The interval contains the mean, and it is a point if there is one value or all values are equal. It cannot account for what no
 * seed has shown: if no value is a disaster, the interval leaves no room for one. Resamples refer to the positions of the values, so another order
 * gives another interval, within the noise of the resampling.
 */
export function meanInterval(values: ArrayLike<number>, resamples: Resamples): Interval {
  return meanIntervals([values], resamples)[0]!;
}

/** This many intervals are computed together: drawing large resamples takes as long as using them. */
const TOGETHER = 12;

/** The interval of the mean of each column. */
export function meanIntervals(columns: readonly ArrayLike<number>[], resamples: Resamples): Interval[] {
  const found: Interval[] = [];
  for (let from = 0; from < columns.length; from += TOGETHER) {
    found.push(...resampledMeans(columns.slice(from, from + TOGETHER), resamples).map(intervalOf));
  }
  return found;
}

export function intervalOf({ values, resampled, resamples: { size, count, pairs } }: ResampledMean): Interval {
  if (resampled === null) return withoutDeviation(values);
  const { mean: centre, deviation, scores } = resampled.sample;
  const means = resampled.studentised.sort();
  const smaller = resampled.subsets.smaller.sort();
  const larger = resampled.subsets.larger.sort();
  const [k, j] = [oneSidedRank(count), twoSidedRank(pairs)];
  const root = Math.sqrt(size);
  // Five seeds or fewer have no 95 % interval of typical values, because the empty subset is too frequent. The ends then lie at most at the extreme
  // values.
  const [least, most] = extremes(scores);
  const low = Math.min(0, -means[means.length - k]! / root, Math.max(least, smaller[j - 1]!));
  const high = Math.max(0, -means[k - 1]! / root, Math.min(most, larger[larger.length - j]!));
  return { low: end(centre, low, deviation), high: end(centre, high, deviation) };
}

/** A point, or the range of all values if they are too far apart for a deviation in doubles. */
function withoutDeviation(values: ArrayLike<number>): Interval {
  const centre = mean(values);
  const [least, most] = extremes(values);
  return least === most ? { low: centre, high: centre } : { low: Math.min(least, centre), high: Math.max(most, centre) };
}

function extremes(values: ArrayLike<number>): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    least = Math.min(least, values[i]!);
    most = Math.max(most, values[i]!);
  }
  return [least, most];
}

/** Within the doubles; 0 if only the last digits of sums keep it from 0, as the test counts ties. */
function end(centre: number, distance: number, deviation: number): number {
  const value = centre + distance * deviation;
  if (Math.abs(value) <= TIE * Math.max(Math.abs(centre), deviation)) return 0;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

/**
 * The 95 % intervals of smooth functions of means, each from its values with one seed left out at a time. Tukey's pseudo-values (Annals of Mathematical
 * Statistics 29, 1958), centred on the estimate, are treated as a sample whose mean is wanted. For slopes it has a higher coverage than the
 * percentiles of resampled slopes, and needs n slopes instead of 2,000.
 */
export function jackknifeIntervals(fits: readonly { estimate: number; without: Float64Array }[], resamples: Resamples): Interval[] {
  const pseudoValues = fits.map(({ without }) => {
    const centre = mean(without);
    return without.map((each) => (without.length - 1) * (centre - each));
  });
  return meanIntervals(pseudoValues, resamples).map(({ low, high }, i) => {
    const { estimate } = fits[i]!;
    return { low: estimate + Math.min(0, low), high: estimate + Math.max(0, high) };
  });
}
