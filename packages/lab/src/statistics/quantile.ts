// Hyndman and Fan's type 7 ("Sample quantiles in statistical packages", The American Statistician 50, 1996): what R and NumPy take by default.

/** The p-quantile of ascending numbers, linear between the order statistics. */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low === high ? low : low + (position - below) * (high - low);
}

/** The p-quantile of numbers in any order. */
export function quantile(values: ArrayLike<number>, p: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), p);
}
