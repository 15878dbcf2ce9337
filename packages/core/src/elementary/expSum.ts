// exp(hi + lo), the shared core of exp and pow. Our own design, after the table method of P. T. P. Tang, "Table-driven implementation of the
// exponential function in IEEE floating-point arithmetic", ACM TOMS 15 (1989):
//   hi + lo = k L + r, L = log(2)/128, |r| <= L/2 + |lo|;   exp = 2^floor(k/128) * T * (1 + p), T = 2^((k mod 128)/128) from the table, p = exp(r) - 1.
// p is the Taylor polynomial of degree 5; the remainder, r^6/720, is below 2^-60.
import { INVERSE_L, L_HI, L_LO, TO_INTEGER } from "./expReduction.js";
import { EXP_TABLE } from "./expTable.js";
import { POWERS_OF_TWO } from "./powersOfTwo.js";

// Local names, because V8 folds a constant of the module itself but loads an imported one on each use (10% of the time).
const table = EXP_TABLE;
const powers = POWERS_OF_TWO;
const inverseL = INVERSE_L;
const lHi = L_HI;
const lLo = L_LO;
const toInteger = TO_INTEGER;

/** exp(hi + lo) for |lo| < 1e-4; hi may be any double, NaN included. */
export function expSum(hi: number, lo: number): number {
  if (hi > 709.8) return Infinity;
  if (hi < -745.2) return 0;
  const k = hi * inverseL + toInteger - toInteger;
  const r = hi - k * lHi - (k * lLo - lo);
  const r2 = r * r;
  const p = r + r2 * (0.5 + r * (1 / 6) + r2 * (1 / 24 + r * (1 / 120)));
  const n = k | 0;
  const j = (n & 127) << 1;
  const t = table[j]!;
  const y = t + (table[j + 1]! + t * p);
  const e = n >> 7;
  return e >= -1074 && e < 1024 ? y * powers[e + 1074]! : inTwoSteps(y, e);
}

/** y 2^e beyond the table, in two steps of which only the second may round: e = 1024 occurs just below the overflow, e < -1074 just above the underflow to zero. */
function inTwoSteps(y: number, e: number): number {
  return e > 0 ? y * powers[e + 974]! * powers[1174]! : y * powers[e + 1174]! * powers[974]!;
}
