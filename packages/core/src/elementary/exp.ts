import { expSum } from "./expSum.js";

/**
 * e^x, with the same bits on every engine, within 0.52 ulp of the true value (0.76 ulp if the result is subnormal). Special values are those of `Math.exp`.
 *
 * @example
 * ```ts
 * import { elementary } from "tsallis";
 *
 * console.log(elementary.exp(1)); // 2.718281828459045
 * ```
 */
export function exp(x: number): number {
  return expSum(x, 0);
}
