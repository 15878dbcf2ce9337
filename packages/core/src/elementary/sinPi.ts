import { cosPiReduced, sinPiReduced } from "./sinCosPi.js";

/**
 * sin(pi x), with the same bits on every engine, within 0.65 ulp of the true value (0.76 ulp if the result is subnormal).
 * Special values are those of sinPi in IEEE 754-2019: integers give a zero with the sign of x, infinities and NaN give NaN.
 *
 * @example
 * ```ts
 * import { elementary } from "tsallis";
 *
 * console.log(elementary.sinPi(0.25)); // 0.7071067811865476
 * ```
 */
export function sinPi(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude === Math.floor(magnitude)) return x * 0;
  // Scaling by 2^200 and back keeps the products from underflowing; the function is linear here.
  if (magnitude < 1e-200) return sinPiReduced(x * 1.6069380442589903e60) * 6.223015277861142e-61;
  const turn = magnitude - 2 * Math.floor(0.5 * magnitude);
  const quarters = Math.round(2 * turn);
  const r = turn - 0.5 * quarters;
  const value = quarters % 2 === 0 ? sinPiReduced(r) : cosPiReduced(r);
  return (quarters === 2 || quarters === 3) !== x < 0 ? -value : value;
}
