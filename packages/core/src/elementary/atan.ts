// atan(x) = atan(c) + atan(t), t = (x - c)/(1 + x c), with c the nearest table point in [1/16, 16] (|t| <= 1/32);
// c = 0 below and c = Infinity above, where atan(c) = pi/2 and t = -1/x. atan(t) is its Taylor polynomial; the remainder is below t^17/17.
import { ATAN_TABLE } from "./atanTable.js";
import { highWord } from "./highWord.js";
import { POWERS_OF_TWO } from "./powersOfTwo.js";

const HALF_PI = Math.PI / 2;
const HALF_PI_LO = 6.123233995736766e-17;

/**
 * The inverse tangent, with the same bits on every engine, within 0.65 ulp of the true value. Special values are those of `Math.atan`.
 *
 * @example
 * ```ts
 * import { elementary } from "tsallis";
 *
 * console.log(elementary.atan(1)); // 0.7853981633974483
 * ```
 */
export function atan(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < 3.725290298461914e-9) return x; // 2^-28
  let t = magnitude;
  let base = 0;
  let baseLow = 0;
  if (magnitude > 16) {
    t = -1 / magnitude;
    base = HALF_PI;
    baseLow = HALF_PI_LO;
  } else if (magnitude > 0.0625) {
    // The exponent and three fraction bits, rounded, counted from 1/16.
    const i = ((highWord(magnitude) + 0x10000) >> 17) - ((1023 - 4) << 3);
    const c = (8 + (i & 7)) * POWERS_OF_TWO[(i >> 3) + 1067]!;
    t = (magnitude - c) / (1 + magnitude * c);
    base = ATAN_TABLE[2 * i]!;
    baseLow = ATAN_TABLE[2 * i + 1]!;
  }
  const v = t * t;
  const w = v * v;
  const odd = 1 / 3 - v * 0.2 + w * (1 / 7 - v * (1 / 9) + w * (1 / 11 - v * (1 / 13) + w * (1 / 15)));
  const value = base + (t + (baseLow - t * v * odd));
  return x < 0 ? -value : value;
}
