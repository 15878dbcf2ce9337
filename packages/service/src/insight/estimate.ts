/** A number with its 95 % interval. */
export interface Estimate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the standard normal law. */
export const Z95 = 1.959963984540054;
