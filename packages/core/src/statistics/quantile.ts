/**
 * The p-quantile of ascending numbers, interpolated linearly between the order statistics: Hyndman and Fan's type 7 ("Sample quantiles in statistical
 * packages", The American Statistician 50, 1996), the default of R and NumPy.
 */
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

/** The smallest of the first `count` ascending numbers that at least a share p of them does not exceed: Hyndman and Fan's type 1, always one of the numbers. */
export function observedQuantile(sorted: ArrayLike<number>, p: number, count: number = sorted.length): number {
  return sorted[Math.max(0, Math.ceil(p * count) - 1)]!;
}
