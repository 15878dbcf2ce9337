import type { Interval } from "../statistics/interval.js";

/** The smallest order that is ever recommended, because policies need more than 1. */
const SMALLEST = 1.05;
const STEP = 20;

/** The order alpha to give a policy: the lower end of the tail index's interval, rounded down to a multiple of 0.05, within [1.05, 2]. */
export function momentOrder({ low }: Interval): number {
  return Math.max(SMALLEST, Math.min(2, Math.floor(low * STEP) / STEP));
}
