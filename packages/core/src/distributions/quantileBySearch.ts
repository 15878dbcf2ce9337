import { doubleOf, nextUp, rankOf } from "../special/rank.js";
import type { Law } from "./law.js";

/**
 * The smallest double x with P(X <= x) >= p, by bisection over all doubles of the support: at most 64 evaluations, right at atoms and in flat
 * stretches, and as accurate as the two functions themselves. Above the median it tests P(X > x) <= 1 - p instead, which keeps the right tail's digits.
 */
export function quantileBySearch(law: Pick<Law, "cdf" | "survival" | "low" | "high">, p: number): number {
  const enough = p <= 0.5 ? (x: number) => law.cdf(x) >= p : (x: number) => law.survival(nextUp(x)) <= 1 - p;
  let below = rankOf(Math.max(law.low, -Number.MAX_VALUE)) - 1n;
  let above = rankOf(Math.min(law.high, Number.MAX_VALUE));
  while (above - below > 1n) {
    const middle = (below + above) >> 1n;
    if (enough(doubleOf(middle))) above = middle;
    else below = middle;
  }
  return doubleOf(above);
}
