/** The ends of a 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A number with its 95 % interval. */
export interface Estimate extends Interval {
  readonly estimate: number;
}
