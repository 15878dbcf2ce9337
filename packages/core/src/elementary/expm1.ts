// exp(x) - 1 by the reduction of expSum.ts, x = k L + r. r and T r are carried in two parts, because they may nearly cancel T - 2^-e:
//   exp(x) - 1 = 2^e ((T - 2^-e) + T r + T (r^2/2 + ... + r^6/720)),   e = floor(k/128).
// There is one term more than in expSum.ts, because the remainder, r^7/5040, is compared with r and not with 1.
import { INVERSE_L, L_HI, L_LO, TO_INTEGER } from "./expReduction.js";
import { EXP_TABLE } from "./expTable.js";
import { POWERS_OF_TWO } from "./powersOfTwo.js";

const SPLITTER = 134217729;

/**
 * e^x - 1, with the same bits on every engine, within 0.51 ulp of the true value. Special values are those of `Math.expm1`.
 *
 * @example
 * ```ts
 * import { elementary } from "tsallis";
 *
 * console.log(elementary.expm1(1e-10)); // 1.00000000005e-10
 * ```
 */
export function expm1(x: number): number {
  if (Math.abs(x) < 5.551115123125783e-17) return x; // 2^-54
  if (x > 709.8) return Infinity;
  if (x < -38) return -1;
  const k = x * INVERSE_L + TO_INTEGER - TO_INTEGER;
  const nearer = x - k * L_HI;
  const r = nearer - k * L_LO;
  const rLow = nearer - r - k * L_LO;
  const n = k | 0;
  const e = n >> 7;
  const j = (n & 127) << 1;
  const t = EXP_TABLE[j]!;
  const one = POWERS_OF_TWO[1074 - e]!;

  // t - one with its rounding error; the larger of the two comes first.
  const head = t - one;
  const headLow = t > one ? t - head - one : t - (head + one);
  const rScaled = SPLITTER * r;
  const rHigh = rScaled - (rScaled - r);
  const tScaled = SPLITTER * t;
  const tHigh = tScaled - (tScaled - t);
  const product = tHigh * rHigh;
  const r2 = r * r;
  const tail = r2 * (0.5 + r * (1 / 6) + r2 * (1 / 24 + r * (1 / 120) + r2 * (1 / 720)));
  const rest = (t - tHigh) * rHigh + t * (r - rHigh + rLow + tail) + EXP_TABLE[j + 1]! * (1 + r) + headLow;
  const sum = head + product;
  const y = sum + (head - sum + product + rest);
  return e < 1024 ? y * POWERS_OF_TWO[e + 1074]! : y * POWERS_OF_TWO[2097]! * 2;
}
