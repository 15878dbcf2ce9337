// The ends of intervals are at the rank at which the p value crosses 0.05, so that interval and test agree.

const LEVEL = 0.05;

/** The largest k with k / (count + 1) < 0.05, for values that cover both directions. */
export function twoSidedRank(count: number): number {
  return Math.ceil(LEVEL * (count + 1)) - 1;
}

/** The largest k with 2 k / (count + 1) < 0.05, for values that cover one direction. */
export function oneSidedRank(count: number): number {
  return Math.ceil((LEVEL / 2) * (count + 1)) - 1;
}
