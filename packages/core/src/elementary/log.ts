import { logLow, logPair } from "./logPair.js";

const low = logLow; // see logPair.ts

/**
 * The natural logarithm, with the same bits on every engine, within 0.501 ulp of the true value. Special values are those of `Math.log`.
 *
 * @example
 * ```ts
 * import { elementary } from "tsallis";
 *
 * console.log(elementary.log(2)); // 0.6931471805599453
 * ```
 */
export function log(x: number): number {
  if (x > 0 && x < Infinity) {
    const hi = logPair(x);
    return hi + low[0]!;
  }
  return x === 0 ? -Infinity : x > 0 ? x : NaN;
}
