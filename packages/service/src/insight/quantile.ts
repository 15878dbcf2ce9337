/**
 * The p-quantile of ascending numbers, interpolated linearly between the order statistics: Hyndman and Fan's type 7 ("Sample quantiles in statistical
 * packages", The American Statistician 50, 1996), as the lab and R have it.
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low === high ? low : low + (position - below) * (high - low);
}

export interface Quantiles {
  median: number | null;
  p90: number | null;
  p99: number | null;
}

/** The quantiles that are shown; null if there are no numbers. */
export function quantilesOf(sorted: ArrayLike<number>): Quantiles {
  if (sorted.length === 0) return { median: null, p90: null, p99: null };
  return { median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), p99: quantile(sorted, 0.99) };
}
