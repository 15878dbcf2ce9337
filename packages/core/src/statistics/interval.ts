import { normalQuantile } from "../special/normalQuantile.js";

/** The ends of an interval, of 95 % unless an error is given. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A number with its 95 % interval. */
export interface Estimate extends Interval {
  readonly estimate: number;
}

/** The 97.5 % quantile of the standard normal distribution, for 95 % intervals. */
export const Z95 = 1.959963984540054;

/** The quantile with which `statements` two-sided intervals hold together with a probability of 95 % (Bonferroni). */
export function confidence(statements: number): number {
  return -normalQuantile(0.025 / statements);
}

/** Z95 as `confidence` gives it, one unit in the last place smaller: the tail figures are made with it, and keep their bits. */
export const SINGLE: number = confidence(1);

/**
 * Wilson's 95 % score interval (JASA 22, 1927) of a probability, from a share of n trials; it stays inside [0, 1] and remains sensible at 0 and 1.
 */
export function wilsonInterval(share: number, n: number): Interval {
  const square = Z95 * Z95;
  const centre = (share + square / (2 * n)) / (1 + square / n);
  const half = (Z95 / (1 + square / n)) * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n));
  return { low: Math.max(0, Math.min(share, centre - half)), high: Math.min(1, Math.max(share, centre + half)) };
}
