import { type Estimate, Z95 } from "tsallis/statistics";

/** The mean of clipped losses, with the variance and the third central moment of that mean, all in units of the size at which they were clipped. */
export interface ClippedMean {
  readonly mean: number;
  readonly variance: number;
  readonly third: number;
}

/**
 * Losses of a larger size than `limit` count as the limit. What is bounded has a variance, so that its mean is nearly normal and the interval means
 * something. Without the clipping it would not: of losses with a tail index below 2, the mean jumps with its largest one, and neither a normal
 * interval nor a bootstrap of plain means is valid, however many losses there are (Athreya, "Bootstrap of the mean in the infinite variance case",
 * Annals of Statistics 15, 1987). In units of the limit, since squares of losses may overflow a double.
 */
export function clippedMean(losses: Float64Array, limit: number): ClippedMean {
  const n = losses.length;
  const inUnits = (loss: number): number => (limit === 0 ? 0 : Math.max(-1, Math.min(1, loss / limit)));
  // From the first one on, so that losses that are all the same have exactly their mean, and no variance by rounding.
  const first = inUnits(losses[0]!);
  let sum = 0;
  for (let i = 1; i < n; i++) sum += inUnits(losses[i]!) - first;
  const mean = first + sum / n;
  let [second, third] = [0, 0];
  for (let i = 0; i < n; i++) {
    const distance = inUnits(losses[i]!) - mean;
    second += distance * distance;
    third += distance * distance * distance;
  }
  return { mean, variance: second / ((n - 1) * n), third: third / (n * n * n) };
}

/** The difference of two independent means. */
export function differenceOf(a: ClippedMean, b: ClippedMean): ClippedMean {
  return { mean: a.mean - b.mean, variance: a.variance + b.variance, third: a.third - b.third };
}

/**
 * The normal 95 % interval, extended for skewness: clipped losses are still skewed, and a hundred of them are few. The quantiles of a studentised mean
 * of skewness g are those of the normal distribution moved by g (2 z^2 + 1) / 6 (Johnson, "Modified t tests and confidence intervals for asymmetrical
 * populations", Journal of the American Statistical Association 73, 1978; Hall, "On the removal of skewness by transformation", Journal of the Royal
 * Statistical Society B 54, 1992). Only the end that moves outwards is moved: of 100 Pareto losses with index 1.5 the normal interval misses 8 %, the
 * moved one 9 %, this one 6 %. The move is at most as long as the normal half.
 */
export function meanEstimate({ mean, variance, third }: ClippedMean, limit: number): Estimate {
  const error = Math.sqrt(variance);
  const shift = error > 0 ? (third / (error * variance)) * ((2 * Z95 * Z95 + 1) / 6) : 0;
  const low = mean - error * (Z95 + Math.min(Z95, Math.max(0, -shift)));
  const high = mean + error * (Z95 + Math.min(Z95, Math.max(0, shift)));
  return { estimate: limit * mean, low: limit * low, high: limit * high };
}

/**
 * The difference of two independent medians, with the interval that follows from theirs by square-and-add (Zou and Donner, "Construction of confidence
 * limits about effect measures: a general approach", Statistics in Medicine 27, 2008): the distance to either limit is the hypotenuse of the distances
 * of the two medians to theirs. It needs no estimate of the density at the median, which other methods do and which ties spoil.
 */
export function medianDifference(a: Estimate, b: Estimate): Estimate {
  const estimate = a.estimate - b.estimate;
  return {
    estimate,
    low: estimate - Math.hypot(a.estimate - a.low, b.high - b.estimate),
    high: estimate + Math.hypot(a.high - a.estimate, b.estimate - b.low),
  };
}
