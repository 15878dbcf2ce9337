import { pow } from "../elementary/pow.js";

/** K^(1-1/alpha) T^(1/alpha): the worst-case growth that no policy beats. */
export function minimaxRate(arms: number, horizon: number, alpha: number): number {
  return pow(arms, 1 - 1 / alpha) * pow(horizon, 1 / alpha);
}
