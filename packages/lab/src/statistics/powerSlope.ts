import { elementary } from "tsallis";
import { type Estimate, mean } from "tsallis/statistics";
import type { MeanCurve } from "./meanCurve.js";
import { jackknifeIntervals } from "./meanInterval.js";

/**
 * The exponent of a power law: the least squares slope of log(mean) on log(x), with a 95 % interval over seeds. Null if there are fewer than two
 * seeds or two values of x, or if an x or a mean is not positive; this includes the means of all resamples and of the samples with one seed left out
 * (a mean that may as well be negative has no exponent).
 */
export function powerSlope(x: readonly number[], curve: MeanCurve): Estimate | null {
  return powerSlopes([{ x, curve }])[0]!;
}

/** The exponents of several parts of one curve: their intervals take less time together. */
export function powerSlopes(parts: readonly { x: readonly number[]; curve: MeanCurve }[]): (Estimate | null)[] {
  const fits = parts.map(({ x, curve }) => fitted(x, curve));
  const found = fits.filter((fit) => fit !== null);
  if (found.length === 0) return fits.map(() => null);
  const intervals = jackknifeIntervals(found, parts[0]!.curve.resamples);
  return fits.map((fit) => (fit === null ? null : { estimate: fit.estimate, ...intervals[found.indexOf(fit)]! }));
}

/** The slope, and the slopes with one seed left out. */
function fitted(x: readonly number[], curve: MeanCurve): { estimate: number; without: Float64Array } | null {
  const { seeds, means, columns } = curve;
  if (seeds < 2 || !x.every((value) => value > 0)) return null;
  const weights = slopeWeights(x.map((value) => elementary.log(value)));
  if (weights === null) return null;
  const resampled = columns.every(hasPositiveMeans) ? null : curve.resampled;
  let estimate = 0;
  const slopes = new Float64Array(seeds);
  for (const [place, weight] of weights.entries()) {
    const without = meansWithout(columns[place]!);
    if (!(isLogarithmic(means[place]!) && (resampled === null || resampled[place]!.every(isLogarithmic)) && without.every(isLogarithmic)))
      return null;
    estimate += weight * elementary.log(means[place]!);
    for (let seed = 0; seed < seeds; seed++) slopes[seed] = slopes[seed]! + weight * elementary.log(without[seed]!);
  }
  return { estimate, without: slopes };
}

/** The same slope for plain numbers, such as the values of a bound; null if there is none. */
export function logLogSlope(x: readonly number[], y: readonly number[]): number | null {
  if (!(x.every(isLogarithmic) && y.every(isLogarithmic))) return null;
  const weights = slopeWeights(x.map((value) => elementary.log(value)));
  return weights === null ? null : weights.reduce((sum, weight, i) => sum + weight * elementary.log(y[i]!), 0);
}

/**
 * Whether the mean of every resample is positive, known without drawing one: no value is negative, and all are positive, or so many that no resample has
 * nothing but zeros (with half of 64, one in 2^64).
 */
function hasPositiveMeans(column: Float64Array): boolean {
  let zeros = 0;
  for (let i = 0; i < column.length; i++) {
    if (!(column[i]! >= 0 && column[i]! < Infinity)) return false;
    if (column[i] === 0) zeros++;
  }
  return zeros === 0 || (column.length >= 64 && 2 * zeros <= column.length);
}

function isLogarithmic(value: number): boolean {
  return value > 0 && value < Infinity;
}

/** A straight line through points. */
export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

/** (x_i - mean x) / sum (x_j - mean x)^2: the slope of the least squares line is the sum of these weights times y_i. Null if all x are equal. */
export function slopeWeights(x: readonly number[]): readonly number[] | null {
  const centre = mean(x);
  const distances = x.map((value) => value - centre);
  const spread = distances.reduce((sum, distance) => sum + distance * distance, 0);
  return spread > 0 ? distances.map((distance) => distance / spread) : null;
}

/** The line with the least sum of weighted squared vertical distances; null if all x are equal. */
export function leastSquares(x: readonly number[], y: readonly number[], weights: readonly number[] = x.map(() => 1)): Line | null {
  let total = 0;
  let sumX = 0;
  let sumY = 0;
  for (const [i, weight] of weights.entries()) {
    total += weight;
    sumX += weight * x[i]!;
    sumY += weight * y[i]!;
  }
  const centreX = sumX / total;
  const centreY = sumY / total;
  let products = 0;
  let squares = 0;
  for (const [i, weight] of weights.entries()) {
    products += weight * (x[i]! - centreX) * (y[i]! - centreY);
    squares += weight * (x[i]! - centreX) * (x[i]! - centreX);
  }
  if (!(squares > 0)) return null;
  const slope = products / squares;
  return { slope, intercept: centreY - slope * centreX };
}

/**
 * The mean with one value left out, for each value in turn. It adds the sums from both sides, because subtracting a very large value from the total
 * would lose all others.
 */
export function meansWithout(values: ArrayLike<number>): Float64Array {
  const n = values.length;
  const found = new Float64Array(n);
  let before = 0;
  for (let i = 0; i < n; i++) {
    found[i] = before;
    before += values[i]!;
  }
  let after = 0;
  for (let i = n - 1; i >= 0; i--) {
    found[i] = (found[i]! + after) / (n - 1);
    after += values[i]!;
  }
  return found;
}
