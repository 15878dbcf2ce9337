import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";

/** Exponents q this close to an integer count as that integer: alpha = 1.1 is 11/10 to the last bit but one, and q inherits that error. */
const INTEGER_TOLERANCE = 1e-12;

/** q, or the integer that it stands for. */
export function snapExponent(q: number): number {
  const nearest = Math.round(q);
  return Math.abs(q - nearest) < INTEGER_TOLERANCE ? nearest : q;
}

/** ratio^q: by multiplication for the integers that simple alphas give (2, 3, ... 24), otherwise by exp and log. */
export function power(ratio: number, q: number): number {
  if (q > 24 || q !== Math.floor(q)) return exp(q * log(ratio));
  let result = 1;
  let factor = ratio;
  for (let n = q; ; factor *= factor) {
    if (n & 1) result *= factor;
    n >>= 1;
    if (n === 0) return result;
  }
}
