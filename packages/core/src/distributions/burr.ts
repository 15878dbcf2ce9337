// Burr XII: P(X >= x) = (1 + (x / scale)^c)^-k for x >= 0 (I. W. Burr, "Cumulative frequency functions", Ann. Math. Stat. 13, 1942).
import { exp } from "../elementary/exp.js";
import { expm1 } from "../elementary/expm1.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { incompleteBeta } from "../special/incompleteBeta.js";
import { logGamma } from "../special/logGamma.js";
import { integrateInterval } from "../special/quadrature.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution, DistributionSpec } from "./distribution.js";
import { momentByQuadrature, partialMeanBetween } from "./moments.js";
import { SCALE_RANGE } from "./ranges.js";
import { decreasingVerdict, unknownVerdict } from "./truncatedNonNegativity.js";

export const BURR = {
  c: { type: "number", atLeast: 0.2, atMost: 20, description: "the power near 0: P(X <= x) is about k (x / scale)^c there" },
  k: { type: "number", atLeast: 0.2, atMost: 20, description: "the other power: the tail index is c k" },
  scale: { ...SCALE_RANGE, description: "the unit of X" },
} as const satisfies Parameters;

/** The incomplete beta function gives the partial means where (c k - 1) / c, the distance from its pole, is at least this; nearer to the pole it would cancel. */
const CLOSED_FROM = 0.01;

/**
 * Burr XII: P(X >= x) = (1 + (x / scale)^c)^-k for x >= 0. Its tail index is c k.
 *
 * @example
 * ```ts
 * import { burr } from "tsallis";
 *
 * const distribution = burr({ c: 1, k: 1.5, scale: 1 });
 * console.log(distribution.mean, distribution.variance); // 2 Infinity
 * ```
 */
export function burr(options: Completed<typeof BURR>, path = ""): DetailedDistribution {
  const { c, k, scale } = completeOptions(BURR, options, path);
  return burrWithSpec({ distribution: "burr", c, k, scale }, c, k, scale);
}

/** The same under any name; Lomax is the case c = 1. */
export function burrWithSpec(spec: DistributionSpec, c: number, k: number, scale: number): DetailedDistribution {
  const index = c * k;
  const logMoment = (order: number) => logGamma((index - order) / c) + logGamma(1 + order / c) - logGamma(k);
  // Lomax has a closed form, which avoids the rounding of the logarithms.
  const mean = index > 1 ? (c === 1 ? scale / (k - 1) : scale * exp(logMoment(1))) : Infinity;
  const variance = c === 1 ? (mean * mean * k) / (k - 2) : mean * mean * expm1(logMoment(2) - 2 * logMoment(1));
  // I_z at w / (1 + w) and at 1 / (1 + w), w = (x / scale)^c; neither loses digits.
  const beta = (x: number, a: number, b: number, upper: boolean) => {
    const w = pow(x / scale, x < scale ? c : -c);
    const [small, large] = [w / (1 + w), 1 / (1 + w)];
    return upper === x < scale ? incompleteBeta(large, small, a, b) : incompleteBeta(small, large, a, b);
  };
  const remaining = (index - 1) / c;
  const lower = (x: number) => (remaining < CLOSED_FROM ? lowerByQuadrature(c, k, scale, x) : mean * beta(x, 1 + 1 / c, remaining, false));
  const upper = (x: number) => mean * beta(x, remaining, 1 + 1 / c, true);
  // log(1 + w), also where w itself would overflow.
  const logTerm = (x: number) => (x > scale ? c * log(x / scale) + log1p(pow(x / scale, -c)) : log1p(pow(x / scale, c)));

  const distribution: DetailedDistribution = completeDistribution({
    spec,
    mean,
    variance: index > 2 ? variance : Infinity,
    low: 0,
    high: Infinity,
    rightIndex: index,
    closedPartialMean: remaining >= CLOSED_FROM,
    absoluteMoment: (order) => (order < index ? exp(order * log(scale) + logMoment(order)) : Infinity),
    momentAbout: (centre, order) => momentByQuadrature(distribution, centre, order, scale, scale),
    partialMean: (low, high) => partialMeanBetween(mean, lower, upper, low, high),
    cdf: (x) => (x > 0 ? -expm1(-k * logTerm(x)) : 0),
    survival: (x) => (x > 0 ? exp(-k * logTerm(x)) : 1),
    quantile: (p) => scale * pow(expm1(-log1p(-p) / k), 1 / c),
    sample: (rng) => scale * pow(expm1(-log(rng.open()) / k), 1 / c),
    verdict: c <= 1 ? decreasingVerdict : unknownVerdict,
  });
  return distribution;
}

/**
 * E[X 1{X <= x}] where the mean is infinite, or so nearly infinite that the incomplete beta function would cancel: the integral of t f(t) in the variable
 * log(t / scale). It starts where the integrand is e^-40 of its value at the right end, or at the scale if that is further left.
 */
function lowerByQuadrature(c: number, k: number, scale: number, x: number): number {
  const logScale = log(scale);
  const end = log(x) - logScale;
  const turn = Math.min(end, 0);
  const start = turn - 40 / (1 + c);
  const integrand = (y: number) => c * k * exp(logScale + (y > 0 ? 1 - c * k : 1 + c) * y - (k + 1) * log1p(exp(-c * Math.abs(y))));
  return integrateInterval((y) => integrand(start + y), turn - start) + integrateInterval((y) => integrand(turn + y), end - turn);
}
