// Ends of intervals are taken at the rank at which the p value crosses 0.05, so that both say the same.

/** One in twenty. */
const LEVEL = 0.05;

/** The largest k with k / (count + 1) < 0.05: of values that count both directions. */
export function twoSidedRank(count: number): number {
  return Math.ceil(LEVEL * (count + 1)) - 1;
}

/** The largest k with 2 k / (count + 1) < 0.05: of values that count one direction. */
export function oneSidedRank(count: number): number {
  return Math.ceil((LEVEL / 2) * (count + 1)) - 1;
}
