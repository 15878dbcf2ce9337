import { expSum } from "./expSum.js";

/** e^x, with the same bits on every engine, within 0.52 ulp of the true value (0.76 ulp if the result is subnormal). Special values are those of `Math.exp`. */
export function exp(x: number): number {
  return expSum(x, 0);
}
