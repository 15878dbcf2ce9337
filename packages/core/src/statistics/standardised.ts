import { mean } from "./compensatedSum.js";

/** A sample in its own units: anything computed from the scores alone stays the same when the values are shifted or scaled. */
export interface Standardised {
  readonly mean: number;
  /** The standard deviation, with n - 1. */
  readonly deviation: number;
  /** The standard error of the mean. */
  readonly error: number;
  /** (value - mean) / deviation. */
  readonly scores: Float64Array;
}

/** Null if there is no deviation to divide by: for fewer than two values, for equal values, and for values too far apart for doubles. */
export function standardised(values: ArrayLike<number>): Standardised | null {
  const n = values.length;
  const centre = mean(values);
  const scores = new Float64Array(n);
  let furthest = 0;
  let unequal = false;
  for (let i = 0; i < n; i++) {
    scores[i] = values[i]! - centre;
    furthest = Math.max(furthest, Math.abs(scores[i]!));
    unequal ||= values[i] !== values[0];
  }
  if (!(unequal && furthest > 0 && furthest < Infinity)) return null;
  // Divided by the largest distance first, because the squares of large and small values leave the range of a double.
  let squares = 0;
  for (let i = 0; i < n; i++) {
    scores[i] = scores[i]! / furthest;
    squares += scores[i]! * scores[i]!;
  }
  const relative = Math.sqrt(squares / (n - 1));
  for (let i = 0; i < n; i++) scores[i] = scores[i]! / relative;
  const deviation = furthest * relative;
  const error = deviation / Math.sqrt(n);
  return error > 0 && deviation < Infinity ? { mean: centre, deviation, error, scores } : null;
}
