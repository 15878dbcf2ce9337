import { cosPiReduced, sinPiReduced } from "./sinCosPi.js";

/**
 * cos(pi x), with the same bits on every engine, within 0.65 ulp of the true value.
 * Special values are those of cosPi in IEEE 754-2019: integers plus 1/2 give +0, infinities and NaN give NaN.
 *
 * @example
 * ```ts
 * import { elementary } from "tsallis";
 *
 * console.log(elementary.cosPi(0.25)); // 0.7071067811865476
 * ```
 */
export function cosPi(x: number): number {
  const magnitude = Math.abs(x);
  const turn = magnitude - 2 * Math.floor(0.5 * magnitude);
  const quarters = Math.round(2 * turn);
  const r = turn - 0.5 * quarters;
  const value = quarters % 2 === 0 ? cosPiReduced(r) : sinPiReduced(r);
  return quarters === 1 || quarters === 2 ? 0 - value : value;
}
