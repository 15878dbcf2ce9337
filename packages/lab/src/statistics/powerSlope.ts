import { elementary } from "tsallis";
import type { Estimate } from "./interval.js";
import { jackknifeInterval } from "./jackknifeInterval.js";
import { slopeWeights } from "./leastSquares.js";
import type { MeanCurve } from "./meanCurve.js";
import { meansWithout } from "./meansWithout.js";

/**
 * The exponent of a power law: the least squares slope of log(mean) on log(x), with a 95 % interval over seeds. Null if there are fewer than two
 * seeds or two values of x, or if an x or a mean is not positive; this includes the means of all resamples and of the samples with one seed left out
 * (a mean that may as well be negative has no exponent).
 */
export function powerSlope(x: readonly number[], { seeds, means, resampled, columns, resamples }: MeanCurve): Estimate | null {
  if (seeds < 2 || !x.every((value) => value > 0)) return null;
  const weights = slopeWeights(x.map((value) => elementary.log(value)));
  if (weights === null) return null;
  let estimate = 0;
  const slopes = new Float64Array(seeds);
  for (const [place, weight] of weights.entries()) {
    const without = meansWithout(columns[place]!);
    if (!(isLogarithmic(means[place]!) && resampled[place]!.every(isLogarithmic) && without.every(isLogarithmic))) return null;
    estimate += weight * elementary.log(means[place]!);
    for (let seed = 0; seed < seeds; seed++) slopes[seed] = slopes[seed]! + weight * elementary.log(without[seed]!);
  }
  return { estimate, ...jackknifeInterval(estimate, slopes, resamples) };
}

/** The same slope for plain numbers, such as the values of a bound; null if there is none. */
export function logLogSlope(x: readonly number[], y: readonly number[]): number | null {
  if (!(x.every(isLogarithmic) && y.every(isLogarithmic))) return null;
  const weights = slopeWeights(x.map((value) => elementary.log(value)));
  return weights === null ? null : weights.reduce((sum, weight, i) => sum + weight * elementary.log(y[i]!), 0);
}

function isLogarithmic(value: number): boolean {
  return value > 0 && value < Infinity;
}
