// Weibull: P(X >= x) = exp(-(x / scale)^shape) for x >= 0 (Johnson, Kotz and Balakrishnan, "Continuous univariate distributions" 1, chapter 21).
// All moments exist; for shape < 1 the tail is heavier than exponential.
import { exp } from "../elementary/exp.js";
import { expm1 } from "../elementary/expm1.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { lowerGammaRatio, upperGammaRatio } from "../special/incompleteGamma.js";
import { logGammaOnePlus } from "../special/logGamma.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { momentByQuadrature, partialMeanBetween } from "./moments.js";
import { SCALE_RANGE } from "./ranges.js";
import { decreasingVerdict, unknownVerdict } from "./truncatedNonNegativity.js";

export const WEIBULL = {
  shape: { type: "number", atLeast: 0.2, atMost: 1000, description: "the power in the exponent; 1 is the exponential distribution, less is heavier" },
  scale: { ...SCALE_RANGE, description: "the unit of X: P(X >= scale) = 1/e" },
} as const satisfies Parameters;

/**
 * Weibull: P(X >= x) = exp(-(x / scale)^shape) for x >= 0. All moments exist; below shape 1 the tail is heavier than exponential.
 *
 * @example
 * ```ts
 * import { weibull } from "tsallis";
 *
 * const distribution = weibull({ shape: 1, scale: 2 });
 * console.log(distribution.mean.toFixed(3), distribution.variance.toFixed(3)); // 2.000 4.000
 * ```
 */
export function weibull(options: Completed<typeof WEIBULL>, path = ""): DetailedDistribution {
  const { shape, scale } = completeOptions(WEIBULL, options, path);
  const logMoment = (order: number) => logGammaOnePlus(order / shape);
  const mean = scale * exp(logMoment(1));
  const a = 1 + 1 / shape;
  const hazard = (x: number) => pow(x / scale, shape);

  const distribution: DetailedDistribution = completeDistribution({
    spec: { distribution: "weibull", shape, scale },
    mean,
    variance: mean * mean * expm1(logMoment(2) - 2 * logMoment(1)),
    low: 0,
    high: Infinity,
    closedPartialMean: true,
    absoluteMoment: (order) => exp(order * log(scale) + logMoment(order)),
    momentAbout: (centre, order) => momentByQuadrature(distribution, centre, order, scale, scale / shape),
    partialMean: (low, high) =>
      partialMeanBetween(
        mean,
        (x) => mean * lowerGammaRatio(a, hazard(x)),
        (x) => mean * upperGammaRatio(a, hazard(x)),
        low,
        high,
      ),
    cdf: (x) => (x > 0 ? -expm1(-hazard(x)) : 0),
    survival: (x) => (x > 0 ? exp(-hazard(x)) : 1),
    quantile: (p) => scale * pow(-log1p(-p), 1 / shape),
    sample: (rng) => scale * pow(-log(rng.open()), 1 / shape),
    verdict: shape <= 1 ? decreasingVerdict : unknownVerdict,
  });
  return distribution;
}
