import { type BySeed, holm, type PairedComparison, pairedComparisons } from "./pairedComparison.js";
import { type Resampler, TEST_RESAMPLES } from "./resamples.js";
import { selectionTest } from "./selectionTest.js";

/** A policy that did not come first, against the one that did. */
export interface AgainstFirst {
  /** The other minus the first. */
  readonly comparison: PairedComparison;
  /** Two-sided p of "both means are equal", corrected for having picked the first among all policies on the same seeds. */
  readonly p: number;
  /** Whether its larger mean is beyond noise. */
  readonly clear: boolean;
}

/** The probability that any mark "clear" is wrong is about this at most; `bench statistics` measures how well it holds. */
const LEVEL = 0.05;

/**
 * Compares the policy with the least mean with each of the others; null for one that shares no seed with it. p is the larger one of two. That of
 * `selectionTest` accounts for the choice of the first, but rests on flipped signs, which mistake skewed differences for different means. The
 * studentised bootstrap of each pair, with Holm's correction, does not. (Its maximum over all pairs would cost half of the power with 29 policies and 20 seeds.)
 */
export function againstFirst(first: BySeed, others: readonly BySeed[], resampler: Resampler, count = TEST_RESAMPLES): (AgainstFirst | null)[] {
  const comparisons = pairedComparisons(others, first, resampler, count);
  const compared = others.filter((_, i) => comparisons[i] !== null);
  const selected = selectionTest(first, compared, resampler(first.size, count));
  const bootstrapped = holm(comparisons.flatMap((comparison) => comparison?.bootstrapP ?? []));
  return comparisons.map((comparison, i) => {
    if (comparison === null) return null;
    const at = compared.indexOf(others[i]!);
    const p = Math.max(selected[at]!, bootstrapped[at]!);
    return { comparison, p, clear: p < LEVEL && comparison.meanDifference.estimate > 0 };
  });
}
