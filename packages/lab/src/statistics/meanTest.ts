import { bootstrapP } from "./bootstrapP.js";
import { mean } from "./mean.js";
import type { Resamples } from "./resamples.js";
import { standardised } from "./standardised.js";
import { studentisedMeans } from "./studentisedMeans.js";
import { subsetMeans } from "./subsetMeans.js";

/** What ties but for the last digits of its sums counts as a tie. */
const TIE = 1e-12;

/**
 * Two-sided p of "the mean is 0": the larger one of the studentised bootstrap's and of the sign-flip test's. Flips alone test symmetry, and take the skewness of
 * differences with mean 0 for a difference (to studentise them changes nothing: flips leave the sum of squares as it is, so that Student's t only grows with the sum).
 * The bootstrap alone rejects too often where tails are heavy on both sides. Together they are exact for symmetric laws and near 5 % for skewed ones.
 * With the same resamples p is below 0.05 just where 0 is outside of `meanInterval`, but for five seeds and fewer: n signs never say less than 2^(1 - n).
 * The data count as one of the arrangements (Phipson and Smyth 2010), so that p is never 0.
 */
export function meanTest(values: ArrayLike<number>, resamples: Resamples): number {
  const fewest = Math.min(1, 2 ** (1 - values.length));
  const sample = standardised(values);
  if (sample === null) return mean(values) === 0 || !areEqual(values) ? 1 : Math.max(fewest, 2 / (resamples.count + 1));
  const { mean: centre, deviation, error, scores } = sample;
  return Math.max(fewest, bootstrapP(centre / error, studentisedMeans(scores, resamples)), flipP(-centre / deviation, scores, resamples));
}

/** The share of subsets whose signs, flipped about 0, have a sum as far away: those with 0, in units of the scores, between their mean and their complement's. */
function flipP(zero: number, scores: Float64Array, resamples: Resamples): number {
  const { smaller, larger } = subsetMeans(scores, resamples);
  const tie = TIE * Math.max(1, Math.abs(zero));
  let asFar = 1;
  for (let pair = 0; pair < smaller.length; pair++) {
    if (smaller[pair]! <= zero + tie && larger[pair]! >= zero - tie) asFar++;
  }
  return asFar / (smaller.length + 1);
}

/** Some that are not, but have no deviation, are further apart than the doubles reach, and say nothing. */
function areEqual(values: ArrayLike<number>): boolean {
  return Array.prototype.every.call(values, (value: number) => value === values[0]);
}
