import type { Rng } from "../random/rng.js";

/** A distribution as JSON: `{ "distribution": "pareto", "shape": 1.5, "scale": 1 }`. */
export interface DistributionSpec {
  readonly distribution: string;
  readonly [parameter: string]: unknown;
}

/**
 * A law of losses. It tells the truth about infinite moments: `pareto({ shape: 1.5, scale: 1 }).variance` is Infinity.
 *
 * @example
 * ```ts
 * import { pareto, stream } from "tsallis";
 *
 * const law = pareto({ shape: 1.5, scale: 1 });
 * const rng = stream(7, "losses");
 * console.log(law.truncatedMean(100), law.sample(rng) > 1); // 2.7 true
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
