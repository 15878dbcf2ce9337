// Frechet: P(X <= x) = exp(-(x / scale)^-shape) for x > 0 (Johnson, Kotz and Balakrishnan, "Continuous univariate distributions" 2, chapter 22).
import { exp } from "../elementary/exp.js";
import { expm1 } from "../elementary/expm1.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { lowerGammaRatio, upperGamma } from "../special/incompleteGamma.js";
import { logGamma, logGammaOnePlus } from "../special/logGamma.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { momentByQuadrature, partialMeanBetween } from "./moments.js";
import { SCALE_RANGE, SHAPE_RANGE } from "./ranges.js";
import { unknownVerdict } from "./truncatedNonNegativity.js";

export const FRECHET = {
  shape: { ...SHAPE_RANGE, description: "the tail index: E|X|^a is finite for a below it" },
  scale: { ...SCALE_RANGE, description: "the unit of X: P(X <= scale) = 1/e" },
} as const satisfies Parameters;

/**
 * Frechet: P(X <= x) = exp(-(x / scale)^-shape) for x > 0. The tail index is the shape.
 *
 * @example
 * ```ts
 * import { frechet } from "tsallis";
 *
 * const distribution = frechet({ shape: 1.5, scale: 1 });
 * console.log(distribution.absoluteMoment(1.4) < Infinity, distribution.variance); // true Infinity
 * ```
 */
export function frechet(options: Completed<typeof FRECHET>, path = ""): DetailedDistribution {
  const { shape, scale } = completeOptions(FRECHET, options, path);
  const logMoment = (order: number) => (2 * order <= shape ? logGammaOnePlus(-order / shape) : logGamma((shape - order) / shape));
  const mean = shape > 1 ? scale * exp(logMoment(1)) : Infinity;
  const a = (shape - 1) / shape;
  const hazard = (x: number) => pow(x / scale, -shape);

  const distribution: DetailedDistribution = completeDistribution({
    spec: { distribution: "frechet", shape, scale },
    mean,
    variance: shape > 2 ? mean * mean * expm1(logMoment(2) - 2 * logMoment(1)) : Infinity,
    low: 0,
    high: Infinity,
    rightIndex: shape,
    closedPartialMean: true,
    absoluteMoment: (order) => (order < shape ? exp(order * log(scale) + logMoment(order)) : Infinity),
    momentAbout: (centre, order) => momentByQuadrature(distribution, centre, order, scale, scale / shape),
    partialMean: (low, high) =>
      partialMeanBetween(
        mean,
        (x) => scale * upperGamma(a, hazard(x)),
        (x) => mean * lowerGammaRatio(a, hazard(x)),
        low,
        high,
      ),
    cdf: (x) => (x > 0 ? exp(-hazard(x)) : 0),
    survival: (x) => (x > 0 ? -expm1(-hazard(x)) : 1),
    quantile: (p) => scale * pow(-log(p), -1 / shape),
    // The right tail is drawn from small uniforms, which have more digits than those near 1.
    sample: (rng) => scale * pow(-log1p(-rng.open()), -1 / shape),
    verdict: unknownVerdict,
  });
  return distribution;
}
