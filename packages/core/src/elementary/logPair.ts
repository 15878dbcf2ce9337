// log(x) as an unevaluated sum hi + lo, the shared core of log, log1p and pow. Our own design, after the table method of P. T. P. Tang, "Table-driven
// implementation of the logarithm function in IEEE floating-point arithmetic", ACM TOMS 16 (1990), with an exact reduction:
//   x = 2^k m, m in [0.705, 1.411];   r = m c - 1, c ~ 1/m from the table;   log(x) = k log(2) - log(c) + log(1 + r).
// c has 8 bits and |r| <= 3/512, so r, a multiple of 2^-60, is a double, and splitting m in two makes its evaluation exact.
// log(1 + r) = r - r^2/2 + r^3 (1/3 - r/4 + ... + r^6/9): r^2 is carried in two parts, the r^3 term in one.
// The relative error of hi + lo is below 2^-68: the rounding of the r^3 term, |r|^3 * 2^-53 / 3 against |r| at worst. Near x = 1 nothing is rounded before that.
import { highWord } from "./highWord.js";
import { LOG_TABLE } from "./logTable.js";
import { POWERS_OF_TWO } from "./powersOfTwo.js";

// Local names, because V8 folds a constant of the module itself but loads an imported one on each use (10% of the time).
const table = LOG_TABLE;
const powers = POWERS_OF_TWO;
const LN2_HI = 0.6931471805598903;
const LN2_LO = 5.497923018708371e-14;
// 1.5 * 2^20 and 1.5 * 2^19: adding and subtracting them rounds to multiples of 2^-32 and 2^-33.
const TO_2_32 = 1572864;
const TO_2_33 = 786432;

/** logLow[0] is the low part of the last logPair. A typed array, because V8 would allocate on every write to a `let` that holds a double. */
export const logLow: Float64Array = /* @__PURE__ */ new Float64Array(1);
const low = logLow;

/** The high part of log(x) for 0 < x < Infinity; the low part is stored in logLow[0]. */
export function logPair(x: number): number {
  let word = highWord(x);
  let k = -1023;
  let normal = x;
  if (word < 0x00100000) {
    normal = x * 18014398509481984; // 2^54
    word = highWord(normal);
    k = -1077;
  }
  // The nearest of the 128 table points; the sum may carry into the exponent, and does so from table point 53 on in the second line.
  const rounded = word + 0x1000;
  const exponent = (rounded + 0x96000) >> 20;
  k += exponent;
  const m = normal * powers[2097 - exponent]!;
  const i = ((rounded >> 13) & 127) * 3;
  const c = table[i]!;

  const mHigh = m + TO_2_32 - TO_2_32;
  const r = mHigh * c - 1 + (m - mHigh) * c;
  const rHigh = r + TO_2_33 - TO_2_33;
  const r2 = r * r;
  const square = 0.5 * rHigh * rHigh;
  const squareLow = 0.5 * (r - rHigh) * (r + rHigh);
  const cubic = r * r2 * (1 / 3 - r * 0.25 + r2 * (0.2 - r * (1 / 6) + r2 * (1 / 7 - r * 0.125 + r2 * (1 / 9))));

  const base = k * LN2_HI + table[i + 1]!;
  const sum = base + r;
  const hi = sum - square;
  low[0] = base - sum + r + (sum - hi - square + (k * LN2_LO + table[i + 2]! - squareLow + cubic));
  return hi;
}
