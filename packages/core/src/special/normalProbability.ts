import { erf, erfc } from "./errorFunction.js";

/** P(low <= Z <= high) for a standard normal Z; the bounds may be infinite. If both lie on one side of 0, the tails are subtracted. */
export function normalProbability(low: number, high: number): number {
  if (low > 0) return 0.5 * (erfc(low * Math.SQRT1_2) - erfc(high * Math.SQRT1_2));
  if (high < 0) return normalProbability(-high, -low);
  return 0.5 * (erf(high * Math.SQRT1_2) - erf(low * Math.SQRT1_2));
}
