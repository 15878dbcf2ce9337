import { expm1 } from "../../elementary/expm1.js";

/**
 * Theta_alpha of Algorithm 1, line 4: 1 - 2^(-(alpha - 1) / (2 alpha - 1)), in (0, 0.2063].
 * The paper takes the minimum of this and (2 - 2/alpha)^(1 / (2 - alpha)). The second term is never the smaller one (it is at least 2.67 times
 * as large on (1, 2)), and at alpha = 2 it reads 1^Infinity, which is NaN in JavaScript and would silently switch skipping off.
 */
export function theta(alpha: number): number {
  return -expm1((-Math.LN2 * (alpha - 1)) / (2 * alpha - 1));
}
