import { exp } from "../elementary/exp.js";

const SQRT_TWO_PI = 2.5066282746310007;

/** The density of a standard normal number. */
export function normalDensity(z: number): number {
  return exp(-0.5 * z * z) / SQRT_TWO_PI;
}
