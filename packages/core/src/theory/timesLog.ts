import { log } from "../elementary/log.js";

/** coefficient * ln(horizon), and 0 at horizon 1 even when the coefficient has overflowed (Infinity * 0 is NaN). */
export function timesLog(coefficient: number, horizon: number): number {
  return horizon === 1 ? 0 : coefficient * log(horizon);
}
