import { formatNumber } from "../format/formatNumber.js";
import { confidence } from "./confidence.js";
import type { Tail } from "./tail.js";
import { type TruncatedMean, truncatedMeanProfile } from "./truncatedMeanProfile.js";

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
