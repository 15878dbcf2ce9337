// Log-normal: log X is normal with mean `location` and deviation `scale`. All moments exist: E X^a = exp(a location + a^2 scale^2 / 2).
import { exp } from "../elementary/exp.js";
import { expm1 } from "../elementary/expm1.js";
import { log } from "../elementary/log.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { normalProbability } from "../special/normalProbability.js";
import { normalQuantile } from "../special/normalQuantile.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { momentByQuadrature } from "./moments.js";
import { standardNormal } from "./standardDraws.js";
import { unknownVerdict } from "./truncatedNonNegativity.js";

export const LOG_NORMAL = {
  location: { type: "number", atLeast: -200, atMost: 200, description: "the mean of log X" },
  scale: { type: "number", atLeast: 0.01, atMost: 10, description: "the standard deviation of log X" },
} as const satisfies Parameters;

/**
 * Log-normal: log X is normal with mean `location` and deviation `scale`. All moments exist.
 *
 * @example
 * ```ts
 * import { logNormal } from "tsallis";
 *
 * const distribution = logNormal({ location: 0, scale: 1 });
 * console.log(distribution.mean.toFixed(3), distribution.quantile(0.5)); // 1.649 1
 * ```
 */
export function logNormal(options: Completed<typeof LOG_NORMAL>, path = ""): DetailedDistribution {
  const { location, scale } = completeOptions(LOG_NORMAL, options, path);
  const square = scale * scale;
  const mean = exp(location + 0.5 * square);
  const median = exp(location);
  const standardised = (x: number) => (x > 0 ? (log(x) - location) / scale : -Infinity);

  const distribution: DetailedDistribution = completeDistribution({
    spec: { distribution: "log-normal", location, scale },
    mean,
    variance: exp(2 * location + square) * expm1(square),
    low: 0,
    high: Infinity,
    closedPartialMean: true,
    absoluteMoment: (order) => exp(order * (location + 0.5 * order * square)),
    momentAbout: (centre, order) => momentByQuadrature(distribution, centre, order, median, median * scale),
    // Weighting the normal density of log X with X moves its mean by scale^2.
    partialMean: (low, high) => mean * normalProbability(standardised(low) - scale, standardised(high) - scale),
    cdf: (x) => normalProbability(-Infinity, standardised(x)),
    survival: (x) => normalProbability(standardised(x), Infinity),
    quantile: (p) => exp(location + scale * normalQuantile(p)),
    sample: (rng) => exp(location + scale * standardNormal(rng)),
    verdict: unknownVerdict,
  });
  return distribution;
}
