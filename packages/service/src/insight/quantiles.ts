import { quantileOfSorted } from "tsallis/statistics";

export interface Quantiles {
  median: number | null;
  p90: number | null;
  p99: number | null;
}

/** The quantiles that are shown; null if there are no numbers. */
export function quantilesOf(sorted: ArrayLike<number>): Quantiles {
  if (sorted.length === 0) return { median: null, p90: null, p99: null };
  return { median: quantileOfSorted(sorted, 0.5), p90: quantileOfSorted(sorted, 0.9), p99: quantileOfSorted(sorted, 0.99) };
}
