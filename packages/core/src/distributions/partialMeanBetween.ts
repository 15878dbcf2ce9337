/**
 * E[X 1{low <= X <= high}] of a law X >= 0 without atoms, from `lower(x)` = E[X 1{X <= x}] and `upper(x)` = E[X 1{X >= x}]. Of the two possible differences it
 * takes the one with the smaller terms, so that an interval far out in the tail keeps its digits.
 */
export function partialMeanBetween(mean: number, lower: (x: number) => number, upper: (x: number) => number, low: number, high: number): number {
  if (!(high > 0)) return 0;
  if (low <= 0) return high === Infinity ? mean : lower(high);
  if (high === Infinity) return mean === Infinity ? Infinity : upper(low);
  const below = lower(low);
  // The mean is infinite, and `low` in units of the law's scale is beyond the doubles: nothing beyond it counts.
  if (below === Infinity) return 0;
  return below < 0.5 * mean ? lower(high) - below : upper(low) - upper(high);
}
