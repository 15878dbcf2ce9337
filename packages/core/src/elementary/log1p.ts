import { logLow, logPair } from "./logPair.js";

const low = logLow; // see logPair.ts

/**
 * log(1 + x), with the same bits on every engine, within 0.51 ulp of the true value. Special values are those of `Math.log1p`.
 * With 1 + x = s + d exactly, |d/s| <= 2^-53: log(1 + x) = log(s) + d/s up to 2^-107. For |x| < 2^-30 the series ends with its second term.
 *
 * @example
 * ```ts
 * import { elementary } from "tsallis";
 *
 * console.log(elementary.log1p(1e-10)); // 9.999999999500001e-11
 * ```
 */
export function log1p(x: number): number {
  if (Math.abs(x) < 9.313225746154785e-10) return x - 0.5 * x * x;
  if (x > -1 && x < Infinity) {
    const s = 1 + x;
    const d = x < 1 ? x - (s - 1) : 1 - (s - x);
    const hi = logPair(s);
    return hi + (low[0]! + d / s);
  }
  return x === -1 ? -Infinity : x > 0 ? x : NaN;
}
