import { expm1 } from "../elementary/expm1.js";
import { log1p } from "../elementary/log1p.js";
import { power } from "./power.js";

/**
 * x^(1/alpha) - x = r^(q - 1) (1 - r) for one arm with r = h / g = x^(1/q), where all the others together have the probability `rest`.
 * When the arm has nearly everything, 1 - r is computed from the rest, which still has its digits.
 */
export function aloneSpread(ratio: number, rest: number, q: number): number {
  const missing = rest < 0.5 ? -expm1(log1p(-rest) / q) : 1 - ratio;
  return power(ratio, q - 1) * missing;
}
