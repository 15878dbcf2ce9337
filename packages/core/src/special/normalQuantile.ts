import { log } from "../elementary/log.js";
import { erf, erfc } from "./errorFunction.js";
import { normalDensity } from "./normalDensity.js";

/**
 * The x with P(Z <= x) = p for a standard normal Z and p in (0, 1), by Newton's method on log P(Z >= x) - log p for the upper tail. That function is
 * concave and falls, and P(Z >= x) <= exp(-x^2 / 2) / 2 gives a start beyond the root, so every step comes nearer and none overshoots.
 * No fitted coefficients are needed.
 */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  const target = log(p);
  let x = Math.sqrt(Math.max(0, -2 * (target + Math.LN2)));
  for (let step = 0; step < 50; step++) {
    const tail = 0.5 * erfc(x * Math.SQRT1_2);
    const next = x + ((log(tail) - target) * tail) / normalDensity(x);
    if (!(next < x)) break;
    x = next;
  }
  // Near the median a tail of almost 1/2 has no digits left for x; one more step on P(0 <= Z <= x) = 1/2 - p recovers them.
  if (x < 1) x -= (0.5 * erf(x * Math.SQRT1_2) - (0.5 - p)) / normalDensity(x);
  return -x;
}
