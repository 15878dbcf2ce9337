import { mean, standardised } from "tsallis/statistics";
import { type Resamples, requireSize } from "./resamples.js";
import { bootstrapP, studentisedMeans } from "./studentisedMeans.js";
import { subsetMeans } from "./subsetMeans.js";

/** Values that differ only in the last digits of their sums count as ties. */
const TIE = 1e-12;

/**
 * Two-sided p of "the mean is 0": the larger p of the studentised bootstrap and the sign-flip test. Flips alone test symmetry, and mistake the
 * skewness of differences with mean 0 for a difference. (Studentising them changes nothing: flips keep the sum of squares, so Student's t is an
 * increasing function of the sum.) The bootstrap alone rejects too often if both tails are heavy. Together they are exact for symmetric distributions and near
 * 5 % for skewed ones. With the same resamples, p is below 0.05 exactly if 0 is outside of `meanInterval`, except for five seeds or fewer: with n
 * signs p is never below 2^(1 - n). The data count as one of the arrangements (Phipson and Smyth 2010), so p is never 0.
 */
export function meanTest(values: ArrayLike<number>, resamples: Resamples): number {
  const fewest = Math.min(1, 2 ** (1 - values.length));
  return Math.max(fewest, bootstrapTest(values, resamples), flipTest(values, resamples));
}

/** The p of the studentised bootstrap alone. */
export function bootstrapTest(values: ArrayLike<number>, resamples: Resamples): number {
  requireSize(values, resamples);
  const sample = standardised(values);
  if (sample === null) return mean(values) === 0 || !areEqual(values) ? 1 : 2 / (resamples.count + 1);
  return bootstrapP(sample.mean / sample.error, studentisedMeans([sample.scores], resamples)[0]!);
}

function flipTest(values: ArrayLike<number>, resamples: Resamples): number {
  const sample = standardised(values);
  return sample === null ? 0 : flipP(-sample.mean / sample.deviation, sample.scores, resamples);
}

/**
 * The share of subsets for which flipping the signs about 0 leaves the sum at least as far from 0: those with 0, in units of the scores, between
 * their mean and that of their complement.
 */
function flipP(zero: number, scores: Float64Array, resamples: Resamples): number {
  const { smaller, larger } = subsetMeans([scores], resamples)[0]!;
  const tie = TIE * Math.max(1, Math.abs(zero));
  let asFar = 1;
  for (let pair = 0; pair < smaller.length; pair++) {
    if (smaller[pair]! <= zero + tie && larger[pair]! >= zero - tie) asFar++;
  }
  return asFar / (smaller.length + 1);
}

/** Values that are not equal but have no deviation are too far apart for doubles, and say nothing. */
function areEqual(values: ArrayLike<number>): boolean {
  return Array.prototype.every.call(values, (value: number) => value === values[0]);
}
