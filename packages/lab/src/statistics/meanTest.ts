import { mean } from "tsallis/statistics";
import { type Resampled, type ResampledMean, resampledMeans } from "./resampledMean.js";
import type { Resamples } from "./resamples.js";
import { bootstrapP } from "./studentisedMeans.js";

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
  return testOf(resampledMeans([values], resamples)[0]!);
}

export function testOf(resampledMean: ResampledMean): number {
  const { values, resampled } = resampledMean;
  const fewest = Math.min(1, 2 ** (1 - values.length));
  return Math.max(fewest, bootstrapTestOf(resampledMean), resampled === null ? 0 : flipP(resampled));
}

/** The p of the studentised bootstrap alone. */
export function bootstrapTestOf({ values, resampled, resamples }: ResampledMean): number {
  if (resampled === null) return mean(values) === 0 || !areEqual(values) ? 1 : 2 / (resamples.count + 1);
  return bootstrapP(resampled.sample.mean / resampled.sample.error, resampled.studentised);
}

/**
 * The share of subsets for which flipping the signs about 0 leaves the sum at least as far from 0: those with 0, in units of the scores, between
 * their mean and that of their complement.
 */
function flipP({ sample, subsets: { smaller, larger } }: Resampled): number {
  const zero = -sample.mean / sample.deviation;
  const tie = TIE * Math.max(1, Math.abs(zero));
  // No pair has 0 on both sides, so those with 0 between are all others.
  let asFar = smaller.length + 1;
  for (const each of smaller) if (each > zero + tie) asFar--;
  for (const each of larger) if (each < zero - tie) asFar--;
  return asFar / (smaller.length + 1);
}

/** Values that are not equal but have no deviation are too far apart for doubles, and say nothing. */
function areEqual(values: ArrayLike<number>): boolean {
  return Array.prototype.every.call(values, (value: number) => value === values[0]);
}
