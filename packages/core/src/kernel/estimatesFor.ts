import { pow } from "../elementary/pow.js";
import { snapExponent } from "./power.js";

/** Gaps stay below this, as estimates stay below 1e307. */
const LARGEST_GAP = 1e306;

/**
 * The estimates whose solution at inverse learning rate h is given by some probabilities: gap_i = h x_i^(-1/q), counted from the smallest. A probability that has underflowed gets the gap
 * of the smallest double, or the largest gap that estimates allow.
 */
export function estimatesFor(probabilities: Float64Array, inverseRate: number, exponent: number): number[] {
  const power = -1 / snapExponent(exponent);
  const gaps = Array.from(probabilities, (x) => Math.min(inverseRate * pow(Math.max(x, Number.MIN_VALUE), power), LARGEST_GAP));
  const least = gaps.reduce((a, b) => Math.min(a, b));
  return gaps.map((gap) => gap - least);
}
