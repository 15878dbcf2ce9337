import type { Distribution } from "./distribution.js";

/** An answer to "is it truncated non-negative?", with its reason; undefined if unknown. */
export interface Verdict {
  readonly holds: boolean | undefined;
  readonly reason: string;
}

/** A distribution of this library. Beyond the public interface it has what the combinators (signed, shifted, mixture, ...) need of their parts. */
export interface Law extends Distribution {
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
