import { quantileOfSorted } from "./quantile.js";

/** The ends of a 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A number with its 95 % interval. */
export interface Estimate extends Interval {
  readonly estimate: number;
}

/** The percentile interval of bootstrap values (Efron 1979): their 2.5 % and 97.5 % quantiles. */
export function percentileInterval(values: Float64Array): Interval {
  const sorted = values.slice().sort();
  return { low: quantileOfSorted(sorted, 0.025), high: quantileOfSorted(sorted, 0.975) };
}
