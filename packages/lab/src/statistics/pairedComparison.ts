import { bootstrapMeans } from "./bootstrapMeans.js";
import { type Estimate, percentileInterval } from "./interval.js";
import { type BySeed, matchedSeeds } from "./matchedSeeds.js";
import { mean } from "./mean.js";
import { quantile } from "./quantile.js";
import type { Resampler } from "./resamples.js";
import { wilsonInterval } from "./wilsonInterval.js";

/** Policy A against policy B in one environment, matched by seed: both met the same losses. Differences are A - B, so negative favours A. */
export interface PairedComparison {
  /** Seeds that both have. */
  readonly pairs: number;
  /** With a bootstrap interval over pairs. */
  readonly meanDifference: Estimate;
  readonly medianDifference: number;
  /** That A has the smaller value; a tie counts half. With Wilson's interval. */
  readonly probability: Estimate;
}

/** Null where no seed is in both. */
export function pairedComparison(a: BySeed, b: BySeed, resampler: Resampler): PairedComparison | null {
  const seeds = matchedSeeds([a, b]);
  if (seeds.length === 0) return null;
  const differences = seeds.map((seed) => a.get(seed)! - b.get(seed)!);
  const wins = differences.reduce((sum, difference) => sum + (difference < 0 ? 1 : difference === 0 ? 0.5 : 0), 0);
  const share = wins / seeds.length;
  return {
    pairs: seeds.length,
    meanDifference: { estimate: mean(differences), ...percentileInterval(bootstrapMeans(differences, resampler(seeds.length))) },
    medianDifference: quantile(differences, 0.5),
    probability: { estimate: share, ...wilsonInterval(share, seeds.length) },
  };
}
