import type { Estimate } from "./interval.js";
import { type BySeed, matchedSeeds } from "./matchedSeeds.js";
import { mean } from "./mean.js";
import { meanInterval } from "./meanInterval.js";
import { meanTest } from "./meanTest.js";
import { quantile } from "./quantile.js";
import { type Resampler, TEST_RESAMPLES } from "./resamples.js";
import { wilsonInterval } from "./wilsonInterval.js";

/**
 * Policy A against policy B in one environment, matched by seed, so that both met the same losses. Differences are A - B, so a negative one favours
 * A.
 */
export interface PairedComparison {
  /** The number of seeds that both have. */
  readonly pairs: number;
  /** The mean difference with its interval over pairs. */
  readonly meanDifference: Estimate;
  /** Two-sided p of "the mean difference is 0", from the same resamples, so that the interval and the test do not contradict each other. */
  readonly p: number;
  readonly medianDifference: number;
  /** The probability that A has the smaller value, with Wilson's interval; a tie counts half. */
  readonly probability: Estimate;
}

/** Null if the two share no seed. */
export function pairedComparison(a: BySeed, b: BySeed, resampler: Resampler): PairedComparison | null {
  const seeds = matchedSeeds([a, b]);
  if (seeds.length === 0) return null;
  const differences = seeds.map((seed) => a.get(seed)! - b.get(seed)!);
  const wins = differences.reduce((sum, difference) => sum + (difference < 0 ? 1 : difference === 0 ? 0.5 : 0), 0);
  const share = wins / seeds.length;
  const resamples = resampler(seeds.length, TEST_RESAMPLES);
  return {
    pairs: seeds.length,
    meanDifference: { estimate: mean(differences), ...meanInterval(differences, resamples) },
    p: meanTest(differences, resamples),
    medianDifference: quantile(differences, 0.5),
    probability: { estimate: share, ...wilsonInterval(share, seeds.length) },
  };
}
