import { formatNumber } from "./formatNumber.js";
import type { Tail } from "./hill.js";
import { confidence, type Estimate, SINGLE } from "./interval.js";
import { quantileOfSorted } from "./quantile.js";

/** From best to worst. */
export const VERDICTS = ["plausible", "doubtful", "violated"] as const;

/** Whether the losses look as if E[X 1{|X| > M}] >= 0 for every M >= 0, an assumption of the paper's guarantees. */
export interface TruncatedNonNegativity {
  readonly verdict: (typeof VERDICTS)[number];
  readonly reason: string;
  /** The M at which the profile is furthest below 0 in units of its error; null if nearly all losses are 0. */
  readonly worst: TruncatedMean | null;
  readonly profile: readonly TruncatedMean[];
}

/**
 * Violated: E[X 1{|X| > M}] is negative at some M, by an interval that holds with 95 % for all M and all arms together. Doubtful: it may be negative,
 * because the estimate is more than one standard error below 0, or because the left tail is the heavier one and wins beyond the data. Plausible
 * otherwise, which is not a proof.
 */
export function truncatedNonNegativityOf(losses: Float64Array, right: Tail | null, left: Tail | null, arms: number): TruncatedNonNegativity {
  const profile = truncatedMeanProfile(losses);
  const worst = profile.reduce<TruncatedMean | null>((least, point) => (least === null || distance(point) < distance(least) ? point : least), null);
  const [verdict, reason] = judge(losses, worst, right, left, confidence(arms * Math.max(1, profile.length)));
  return { verdict, reason, worst, profile };
}

function judge(
  losses: Float64Array,
  worst: TruncatedMean | null,
  right: Tail | null,
  left: Tail | null,
  z: number,
): [TruncatedNonNegativity["verdict"], string] {
  if (losses.every((loss) => loss >= 0)) return ["plausible", "no loss is negative"];
  if (losses.every((loss) => loss <= 0)) return ["violated", "no loss is positive: these look like rewards with the sign reversed"];
  if (worst !== null && distance(worst) < -z) return ["violated", `${at(worst)}, clearly below 0`];
  if (right !== null && left !== null && left.hill.high < right.hill.low) {
    const indices = `index ${formatNumber(left.hill.estimate)} against ${formatNumber(right.hill.estimate)}`;
    return ["doubtful", `the left tail is heavier than the right one (${indices}), so it will dominate beyond the data`];
  }
  if (worst !== null && distance(worst) < -1) return ["doubtful", `${at(worst)}, below 0 but not clearly`];
  return ["plausible", "E[X 1{|X| > M}] is nowhere below 0 by more than its standard error"];
}

function at({ threshold, estimate, error }: TruncatedMean): string {
  return `E[X 1{|X| > M}] is ${formatNumber(estimate)} ± ${formatNumber(error)} at M = ${formatNumber(threshold)}`;
}

/** The distance from 0 in standard errors. */
function distance({ estimate, error }: TruncatedMean): number {
  return estimate === 0 ? 0 : estimate / error;
}

/** The shares of the losses that lie beyond M; the first share includes all losses other than 0. */
const SHARES = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001] as const;
/** An M with fewer losses beyond it than this says nothing. */
const FEWEST = 20;
const BLOCKS = 200;

/** An estimate of E[X 1{|X| > M}] with its 95 % interval. */
export interface TruncatedMean extends Estimate {
  readonly threshold: number;
  readonly beyond: number;
  readonly error: number;
}

/**
 * E[X 1{|X| > M}] over a grid of M, from 0 into the tail, with M at quantiles of |X|. The standard error comes from the means of up to 200 blocks of
 * consecutive losses (two or more each), so that dependence between neighbours does not make it too small. Studentised means of symmetric distributions
 * without a variance stray less than normal ones do (Logan, Mallows, Rice and Shepp 1973); those of distributions with a right tail only are too low more
 * often.
 */
export function truncatedMeanProfile(losses: Float64Array): TruncatedMean[] {
  const sizes = losses.map(Math.abs).sort();
  const profile: TruncatedMean[] = [];
  for (const share of SHARES) {
    const threshold = share === 1 ? 0 : quantileOfSorted(sizes, 1 - share);
    if (threshold === profile.at(-1)?.threshold) continue;
    const point = truncatedMean(losses, threshold, sizes.at(-1)!);
    if (point.beyond < FEWEST) break;
    profile.push(point);
  }
  return profile;
}

/** Computed in units of the largest size, whose square may overflow a double. */
function truncatedMean(losses: Float64Array, threshold: number, unit: number): TruncatedMean {
  const blocks = Math.min(BLOCKS, Math.floor(losses.length / 2));
  const sums = new Float64Array(blocks);
  let beyond = 0;
  for (let block = 0; block < blocks; block++) {
    const end = Math.floor(((block + 1) * losses.length) / blocks);
    let sum = 0;
    for (let i = Math.floor((block * losses.length) / blocks); i < end; i++) {
      if (!(Math.abs(losses[i]!) > threshold)) continue;
      sum += losses[i]! / unit;
      beyond++;
    }
    sums[block] = sum;
  }
  const centre = sums.reduce((sum, each) => sum + each, 0) / blocks;
  const squares = sums.reduce((sum, each) => sum + (each - centre) * (each - centre), 0);
  const scale = (unit * blocks) / losses.length;
  const estimate = scale * centre;
  const error = scale * Math.sqrt(squares / (blocks - 1) / blocks);
  return { threshold, beyond, estimate, error, low: estimate - SINGLE * error, high: estimate + SINGLE * error };
}
