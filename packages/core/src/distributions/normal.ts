import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { logGamma } from "../special/logGamma.js";
import { normalProbability } from "../special/normalProbability.js";
import { normalQuantile } from "../special/normalQuantile.js";
import { completeLaw } from "./completeLaw.js";
import type { DistributionSpec } from "./distribution.js";
import type { Law } from "./law.js";
import { momentByQuadrature } from "./momentByQuadrature.js";
import { standardNormal } from "./standardNormal.js";
import { symmetricVerdict } from "./truncatedNonNegativity.js";

export const NORMAL = {
  mean: { type: "number", description: "the mean" },
  deviation: { type: "number", above: 0, description: "the standard deviation" },
} as const satisfies Parameters;

const SQRT_TWO_PI = 2.5066282746310007;
const HALF_LOG_PI = 0.5723649429247001;

export function normal(options: Completed<typeof NORMAL>, path = ""): Law {
  const { mean, deviation } = completeOptions(NORMAL, options, path);
  return normalLaw({ distribution: "normal", mean, deviation }, mean, deviation);
}

/** The law under any name: the stable law of index 2 is normal. */
export function normalLaw(spec: DistributionSpec, mean: number, deviation: number): Law {
  const standardised = (x: number) => (x - mean) / deviation;
  const density = (z: number) => exp(-0.5 * z * z) / SQRT_TWO_PI;

  const law: Law = completeLaw({
    spec,
    mean,
    variance: deviation * deviation,
    low: -Infinity,
    high: Infinity,
    absoluteMoment(order) {
      if (mean !== 0) return normalLaw(spec, 0, deviation).momentAbout(-mean, order);
      return exp(order * (log(deviation) + 0.5 * Math.LN2) + logGamma(0.5 * (order + 1)) - HALF_LOG_PI);
    },
    momentAbout: (centre, order) => momentByQuadrature(law, centre, order, mean, deviation),
    partialMean(low, high) {
      const [a, b] = [standardised(low), standardised(high)];
      return mean * normalProbability(a, b) + deviation * (density(a) - density(b));
    },
    cdf: (x) => normalProbability(-Infinity, standardised(x)),
    survival: (x) => normalProbability(standardised(x), Infinity),
    quantile: (p) => mean + deviation * normalQuantile(p),
    sample: (rng) => mean + deviation * standardNormal(rng),
    verdict: symmetricVerdict,
  });
  return law;
}
