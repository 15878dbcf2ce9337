import type { Interval } from "../statistics/interval.js";

/** The smallest order that is ever recommended, because policies need more than 1. */
const SMALLEST = 1.05;
const STEP = 20;

/** The order alpha to give a policy: the lower end of the tail index's interval, rounded down to a multiple of 0.05, at most 2; null if that is below 1.05. */
export function momentOrder({ low }: Interval): number | null {
  const order = Math.min(2, Math.floor(low * STEP) / STEP);
  return order >= SMALLEST ? order : null;
}
