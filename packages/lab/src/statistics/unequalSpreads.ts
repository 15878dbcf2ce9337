import { standardised } from "tsallis/statistics";

/** From this many values in each sample on, the test for two samples holds its level closely enough also if one of them has rare disasters. */
export const ENOUGH_FOR_UNEQUAL = 40;

/** By chance alone, two normal samples of 10 differ by more than this factor in one case of twenty. */
const FACTOR = 2;

/**
 * Whether a difference of the means of two independent samples may be a false alarm because their spreads differ: one deviation is more than twice the
 * other, and the smaller sample has fewer than 40 values. `bench statistics` has the shares of false alarms, and of those for which this is false.
 */
export function unequalSpreads(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (Math.min(a.length, b.length) >= ENOUGH_FOR_UNEQUAL) return false;
  const [x, y] = [standardised(a)?.deviation ?? 0, standardised(b)?.deviation ?? 0];
  return Math.max(x, y) > FACTOR * Math.min(x, y);
}
