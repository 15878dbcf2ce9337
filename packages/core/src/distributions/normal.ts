import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { HALF_LOG_PI, logGamma } from "../special/logGamma.js";
import { normalDensity } from "../special/normalDensity.js";
import { normalProbability } from "../special/normalProbability.js";
import { normalQuantile } from "../special/normalQuantile.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution, DistributionSpec } from "./distribution.js";
import { momentByQuadrature } from "./moments.js";
import { SCALE_RANGE, VALUE_RANGE } from "./ranges.js";
import { standardNormal } from "./standardDraws.js";
import { symmetricVerdict } from "./truncatedNonNegativity.js";

export const NORMAL = {
  mean: { ...VALUE_RANGE, description: "the mean" },
  deviation: { ...SCALE_RANGE, description: "the standard deviation" },
} as const satisfies Parameters;

/**
 * Normal: light tails on both sides.
 *
 * @example
 * ```ts
 * import { normal } from "tsallis";
 *
 * const distribution = normal({ mean: 0, deviation: 2 });
 * console.log(distribution.mean, distribution.variance); // 0 4
 * ```
 */
export function normal(options: Completed<typeof NORMAL>, path = ""): DetailedDistribution {
  const { mean, deviation } = completeOptions(NORMAL, options, path);
  return normalWithSpec({ distribution: "normal", mean, deviation }, mean, deviation);
}

/** The same under any name; the stable distribution of index 2 is normal. */
export function normalWithSpec(spec: DistributionSpec, mean: number, deviation: number): DetailedDistribution {
  const standardised = (x: number) => (x - mean) / deviation;

  const distribution: DetailedDistribution = completeDistribution({
    spec,
    mean,
    variance: deviation * deviation,
    low: -Infinity,
    high: Infinity,
    closedPartialMean: true,
    absoluteMoment(order) {
      if (mean !== 0) return normalWithSpec(spec, 0, deviation).momentAbout(-mean, order);
      return exp(order * (log(deviation) + 0.5 * Math.LN2) + logGamma(0.5 * (order + 1)) - HALF_LOG_PI);
    },
    // Computed about 0: a mean of many deviations would swallow the digits of the distances.
    momentAbout: (centre, order) =>
      mean === 0
        ? momentByQuadrature(distribution, centre, order, 0, deviation)
        : normalWithSpec(spec, 0, deviation).momentAbout(centre - mean, order),
    partialMean(low, high) {
      const [a, b] = [standardised(low), standardised(high)];
      return mean * normalProbability(a, b) + deviation * (normalDensity(a) - normalDensity(b));
    },
    cdf: (x) => normalProbability(-Infinity, standardised(x)),
    survival: (x) => normalProbability(standardised(x), Infinity),
    quantile: (p) => mean + deviation * normalQuantile(p),
    sample: (rng) => mean + deviation * standardNormal(rng),
    verdict: symmetricVerdict,
  });
  return distribution;
}
