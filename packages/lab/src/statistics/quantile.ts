// Hyndman and Fan's type 7 ("Sample quantiles in statistical packages", The American Statistician 50, 1996), the default of R and NumPy.

/** The p-quantile of ascending numbers, interpolated linearly between the order statistics. */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  const share = position - below;
  // The difference between numbers near the limits of a double is infinite.
  return low === high ? low : high - low < Infinity ? low + share * (high - low) : (1 - share) * low + share * high;
}

/** The p-quantile of numbers in any order. */
export function quantile(values: ArrayLike<number>, p: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), p);
}
