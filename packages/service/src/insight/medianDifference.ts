import type { Estimate } from "./estimate.js";

/**
 * The difference of two independent medians, with the interval that follows from theirs by square-and-add (Zou and Donner, "Construction of confidence
 * limits about effect measures: a general approach", Statistics in Medicine 27, 2008): the distance to either limit is the hypotenuse of the distances
 * of the two medians to theirs. It needs no estimate of the density at the median, which other methods do and which ties spoil.
 */
export function medianDifference(a: Estimate, b: Estimate): Estimate {
  const estimate = a.estimate - b.estimate;
  return {
    estimate,
    low: estimate - Math.hypot(a.estimate - a.low, b.high - b.estimate),
    high: estimate + Math.hypot(a.high - a.estimate, b.estimate - b.low),
  };
}
