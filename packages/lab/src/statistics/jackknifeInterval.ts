import type { Interval } from "./interval.js";
import { mean } from "./mean.js";
import { meanInterval } from "./meanInterval.js";
import type { Resamples } from "./resamples.js";

/**
 * The 95 % interval of a smooth function of means, from its values with one seed left out at a time. Tukey's pseudo-values (Annals of Mathematical
 * Statistics 29, 1958), centred on the estimate, are treated as a sample whose mean is wanted. For slopes it has a higher coverage than the
 * percentiles of resampled slopes, and needs n slopes instead of 2,000.
 */
export function jackknifeInterval(estimate: number, without: ArrayLike<number>, resamples: Resamples): Interval {
  const centre = mean(without);
  const { low, high } = meanInterval(
    Float64Array.from(without, (each) => (without.length - 1) * (centre - each)),
    resamples,
  );
  return { low: estimate + Math.min(0, low), high: estimate + Math.max(0, high) };
}
