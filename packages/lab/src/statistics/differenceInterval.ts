import type { Estimate } from "./interval.js";
import { oneSidedRank } from "./ranks.js";
import type { Resamples } from "./resamples.js";
import { studentisedDifferences } from "./studentisedDifferences.js";

/**
 * The mean of the first sample minus that of the second, independent one, with its 95 % interval by the studentised bootstrap with Welch's error. The
 * interval is a point if all values within each sample are equal. `first` and `second` are independent resamples of the samples' sizes.
 */
export function differenceInterval(a: ArrayLike<number>, b: ArrayLike<number>, first: Resamples, second: Resamples): Estimate {
  const { difference, error, studentised } = studentisedDifferences(a, b, first, second);
  if (studentised.length === 0) return { estimate: difference, low: difference, high: difference };
  studentised.sort();
  const k = oneSidedRank(studentised.length);
  const low = difference - Math.max(0, studentised[studentised.length - k]!) * error;
  const high = difference - Math.min(0, studentised[k - 1]!) * error;
  return { estimate: difference, low: Math.max(-Number.MAX_VALUE, low), high: Math.min(Number.MAX_VALUE, high) };
}
