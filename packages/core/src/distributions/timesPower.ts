import { pow } from "../elementary/pow.js";

/** unit^order times a moment, in two halves: the power alone may overflow or vanish, and Infinity times 0 would be NaN. */
export function timesPower(unit: number, order: number, moment: number): number {
  if (moment === 0 || moment === Infinity) return moment;
  const half = pow(unit, 0.5 * order);
  return half * moment * half;
}
