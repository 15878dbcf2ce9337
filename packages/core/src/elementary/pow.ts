// x^y = exp(y log(x)) with log(x) as a sum of two doubles good to 2^-68 (logPair.ts), so that y log(x), up to 745, is good to about 2^-59.
// The product is split after T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18 (1971).
// Special values are ECMAScript's (Number::exponentiate), which deviate from IEEE 754: pow(1, NaN) and pow(+-1, +-Infinity) are NaN.
import { expSum } from "./expSum.js";
import { logLow, logPair } from "./logPair.js";

const low = logLow; // see logPair.ts
// 2^27 + 1: Dekker's factor; the part it keeps has 26 bits.
const SPLITTER = 134217729;
// From this |y| on, x^y is 0, 1 or Infinity, since |log(x)| >= 2^-54 for x other than 1; and y is an even integer.
const HUGE = 1.8446744073709552e19; // 2^64

/**
 * x^y, with the same bits on every engine, within 0.54 ulp of the true value (0.77 ulp if the result is subnormal). Special values are those of `Math.pow`.
 *
 * @example
 * ```ts
 * import { elementary } from "tsallis";
 *
 * console.log(elementary.pow(2, 0.5)); // 1.4142135623730951
 * ```
 */
export function pow(x: number, y: number): number {
  return x > 0 && x < Infinity && y < HUGE && y > -HUGE ? ofPositive(x, y) : ofOther(x, y);
}

function ofPositive(x: number, y: number): number {
  if (y === 2) return x * x;
  if (y === 0.5) return Math.sqrt(x);
  if (y === 1) return x;
  if (y === -1) return 1 / x;
  const hi = logPair(x);
  const lo = low[0]!;
  const sum = hi + lo;
  const sumScaled = SPLITTER * sum;
  const sumHigh = sumScaled - (sumScaled - sum);
  const yScaled = SPLITTER * y;
  const yHigh = yScaled - (yScaled - y);
  return expSum(yHigh * sumHigh, (y - yHigh) * sumHigh + y * (hi - sumHigh + lo));
}

function ofOther(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  const magnitude = Math.abs(x);
  const finite = Math.abs(y) < Infinity;
  if (magnitude === 1 && !finite) return NaN;
  const integer = y === Math.floor(y);
  if (x < 0 && magnitude < Infinity && finite && !integer) return NaN;
  const result = ofMagnitude(magnitude, y);
  const odd = finite && integer && 0.5 * y !== Math.floor(0.5 * y);
  return odd && (x < 0 || 1 / x < 0) ? -result : result;
}

function ofMagnitude(magnitude: number, y: number): number {
  if (magnitude === 1) return 1;
  if (magnitude > 0 && magnitude < Infinity && Math.abs(y) < HUGE) return ofPositive(magnitude, y);
  return magnitude > 1 === y > 0 ? Infinity : 0;
}
