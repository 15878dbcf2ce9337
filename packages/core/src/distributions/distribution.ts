import type { Rng } from "../random/rng.js";

/** A distribution as JSON: `{ "distribution": "pareto", "shape": 1.5, "scale": 1 }`. */
export interface DistributionSpec {
  readonly distribution: string;
  readonly [parameter: string]: unknown;
}

/**
 * A distribution of losses. It tells the truth about infinite moments: `pareto({ shape: 1.5, scale: 1 }).variance` is Infinity.
 *
 * @example
 * ```ts
 * import { pareto, stream } from "tsallis";
 *
 * const distribution = pareto({ shape: 1.5, scale: 1 });
 * const rng = stream(7, "losses");
 * console.log(distribution.truncatedMean(100), distribution.sample(rng) > 1); // 2.7 true
 * ```
 */
export interface Distribution {
  readonly spec: DistributionSpec;
  readonly mean: number;
  readonly variance: number;
  /** E|X|^order for order >= 0; Infinity where it does not exist. */
  absoluteMoment(order: number): number;
  /** E[X 1{low <= X <= high}]; the bounds may be infinite. */
  partialMean(low: number, high: number): number;
  /** E[X 1{|X| <= radius}], the mean of what a threshold lets through. */
  truncatedMean(radius: number): number;
  /** Whether E[X 1{|X| > M}] >= 0 for every M >= 0 (the paper's Definition of truncated non-negativity); undefined if unknown. */
  readonly truncatedNonNegative: boolean | undefined;
  readonly truncatedNonNegativeReason: string;
  /** P(X <= x). */
  cdf(x: number): number;
  /** P(X >= x), accurate far out in the right tail. */
  survival(x: number): number;
  /** The smallest x with P(X <= x) >= p, for p in (0, 1). */
  quantile(p: number): number;
  /** Draws a number. */
  sample(rng: Rng): number;
}

/** An answer to "is it truncated non-negative?", with its reason; undefined if unknown. */
export interface Verdict {
  readonly holds: boolean | undefined;
  readonly reason: string;
}

/** A distribution of this library. Beyond the public interface it has what the combinators (signed, shifted, mixture, ...) need of their parts. */
export interface DetailedDistribution extends Distribution {
  /** The ends of the support; infinite if it is unbounded. */
  readonly low: number;
  readonly high: number;
  /** The tails fall like |x|^-index on either side; Infinity if they are lighter than every power. */
  readonly leftIndex: number;
  readonly rightIndex: number;
  /** The values that each have a positive probability. */
  readonly atoms: readonly number[];
  /** Whether `partialMean` and `truncatedMean` are closed forms. Otherwise they are integrated, which is slow and may cost digits. */
  readonly closedPartialMean: boolean;
  /** E|X - centre|^order for order >= 0. */
  momentAbout(centre: number, order: number): number;
  /** Whether sign X + shift is truncated non-negative. */
  truncatedNonNegativity(sign: 1 | -1, shift: number): Verdict;
}
