import { mean } from "./mean.js";
import type { Resamples } from "./resamples.js";
import { ERROR_FLOOR } from "./studentisedMeans.js";

/** Two independent samples: the difference of their means, and its distribution by the studentised bootstrap. */
export interface StudentisedDifferences {
  /** The mean of the first minus the mean of the second. */
  readonly difference: number;
  /** Welch's standard error of the difference (Biometrika 34, 1947): the samples may differ in variance and in size. */
  readonly error: number;
  /** In each resample of both, (its difference - the difference) / its error. Empty if there is no error to divide by. */
  readonly studentised: Float64Array;
}

/** `first` and `second` are independent resamples of the samples' sizes. */
export function studentisedDifferences(a: ArrayLike<number>, b: ArrayLike<number>, first: Resamples, second: Resamples): StudentisedDifferences {
  const [x, y] = [mean(a), mean(b)];
  const difference = x - y;
  let furthest = 0;
  for (let i = 0; i < a.length; i++) furthest = Math.max(furthest, Math.abs(a[i]! - x));
  for (let i = 0; i < b.length; i++) furthest = Math.max(furthest, Math.abs(b[i]! - y));
  if (!(furthest > 0 && furthest < Infinity)) return { difference, error: 0, studentised: new Float64Array(0) };
  const [p, q] = [scaled(a, x, furthest), scaled(b, y, furthest)];
  const variance = squaredError(p.length, 0, sumOfSquares(p)) + squaredError(q.length, 0, sumOfSquares(q));
  const floor = ERROR_FLOOR * ERROR_FLOOR * variance;
  const studentised = new Float64Array(Math.min(first.count, second.count));
  const [ofP, ofQ] = [resampleByResample(first), resampleByResample(second)];
  for (let resample = 0; resample < studentised.length; resample++) {
    let [sumP, squaresP, sumQ, squaresQ] = [0, 0, 0, 0];
    for (const i of ofP.next().value ?? []) {
      const value = p[i]!;
      sumP += value;
      squaresP += value * value;
    }
    for (const j of ofQ.next().value ?? []) {
      const value = q[j]!;
      sumQ += value;
      squaresQ += value * value;
    }
    const again = squaredError(p.length, sumP, squaresP) + squaredError(q.length, sumQ, squaresQ);
    studentised[resample] = (sumP / p.length - sumQ / q.length) / Math.sqrt(Math.max(floor, again));
  }
  return { difference, error: furthest * Math.sqrt(variance), studentised };
}

function* resampleByResample({ size, indices }: Resamples): Generator<Uint32Array, void> {
  for (const piece of indices()) for (let begin = 0; begin < piece.length; begin += size) yield piece.subarray(begin, begin + size);
}

/** The variance of a mean, from a sum and a sum of squares; a single value counts as exact. */
export function squaredError(n: number, sum: number, squares: number): number {
  return n < 2 ? 0 : Math.max(0, squares - (sum * sum) / n) / (n * (n - 1));
}

function scaled(values: ArrayLike<number>, centre: number, unit: number): Float64Array {
  return Float64Array.from(values, (value) => (value - centre) / unit);
}

function sumOfSquares(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}
