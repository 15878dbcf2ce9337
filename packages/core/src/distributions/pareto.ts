// Pareto I (Johnson, Kotz and Balakrishnan, "Continuous univariate distributions" 1, chapter 20): P(X >= x) = (scale / x)^shape for x >= scale.
import { exp } from "../elementary/exp.js";
import { expm1 } from "../elementary/expm1.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { momentByQuadrature } from "./moments.js";
import { SCALE_RANGE, SHAPE_RANGE } from "./ranges.js";
import { decreasingVerdict } from "./truncatedNonNegativity.js";

export const PARETO = {
  shape: { ...SHAPE_RANGE, description: "the tail index: E|X|^a is finite for a below it" },
  scale: { ...SCALE_RANGE, description: "the smallest value" },
} as const satisfies Parameters;

/**
 * Pareto I: P(X >= x) = (scale / x)^shape for x >= scale. Below shape 2 the variance is infinite.
 *
 * @example
 * ```ts
 * import { pareto } from "tsallis";
 *
 * const distribution = pareto({ shape: 1.5, scale: 1 });
 * console.log(distribution.mean, distribution.variance); // 3 Infinity
 * ```
 */
export function pareto(options: Completed<typeof PARETO>, path = ""): DetailedDistribution {
  const { shape, scale } = completeOptions(PARETO, options, path);
  const exponent = -1 / shape;
  // Near the left end x - scale is exact, whereas scale / x would lose the small probability below x.
  const near = (x: number) => x < 2 * scale;
  const nearLog = (x: number) => -shape * log1p((x - scale) / scale);
  const distribution: DetailedDistribution = completeDistribution({
    spec: { distribution: "pareto", shape, scale },
    mean: shape > 1 ? (shape * scale) / (shape - 1) : Infinity,
    variance: shape > 2 ? (shape * scale * scale) / ((shape - 1) * (shape - 1) * (shape - 2)) : Infinity,
    low: scale,
    high: Infinity,
    rightIndex: shape,
    closedPartialMean: true,
    absoluteMoment: (order) => (order < shape ? (shape * pow(scale, order)) / (shape - order) : Infinity),
    momentAbout: (centre, order) => momentByQuadrature(distribution, centre, order, scale, scale / shape),
    partialMean(low, high) {
      const from = Math.max(low, scale);
      if (!(high > from)) return 0;
      // shape scale^shape times the integral of x^-shape over [from, high].
      return shape * scale * pow(from / scale, 1 - shape) * powerIntegral(1 - shape, logRatio(high, from));
    },
    cdf: (x) => (x > scale ? -expm1(near(x) ? nearLog(x) : shape * log(scale / x)) : 0),
    survival: (x) => (x > scale ? (near(x) ? exp(nearLog(x)) : pow(scale / x, shape)) : 1),
    quantile: (p) => scale * exp(-log1p(-p) / shape),
    sample: (rng) => scale * pow(rng.open(), exponent),
    verdict: decreasingVerdict,
  });
  return distribution;
}

/** The integral of e^(rate t) over [0, length]. */
function powerIntegral(rate: number, length: number): number {
  if (length === Infinity) return rate < 0 ? -1 / rate : Infinity;
  return rate === 0 ? length : expm1(rate * length) / rate;
}

/** log(high / from), also where the ratio would overflow. */
function logRatio(high: number, from: number): number {
  const ratio = high / from;
  return ratio < Infinity || high === Infinity ? log(ratio) : log(high) - log(from);
}
