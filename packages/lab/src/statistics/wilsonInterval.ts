import type { Interval } from "./interval.js";

/** The 97.5 % quantile of the standard normal law. */
const Z = 1.959963984540054;

/**
 * Wilson's 95 % score interval (JASA 22, 1927) of a probability, from a share of n trials; it stays inside [0, 1] and remains sensible at 0 and 1.
 */
export function wilsonInterval(share: number, n: number): Interval {
  const square = Z * Z;
  const centre = (share + square / (2 * n)) / (1 + square / n);
  const half = (Z / (1 + square / n)) * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n));
  return { low: Math.max(0, Math.min(share, centre - half)), high: Math.min(1, Math.max(share, centre + half)) };
}
