import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";

export const NEGATED = {
  of: { type: "distribution", description: "the distribution of Y" },
} as const satisfies Parameters;

/**
 * -Y.
 *
 * @example
 * ```ts
 * import { negated, pareto } from "tsallis";
 *
 * const distribution = negated({ of: pareto({ shape: 1.5, scale: 1 }) });
 * console.log(distribution.mean, distribution.truncatedNonNegative); // -3 false
 * ```
 */
export function negated(options: Completed<typeof NEGATED>, path = ""): DetailedDistribution {
  const { of } = completeOptions(NEGATED, options, path);
  return completeDistribution({
    spec: { distribution: "negated", of: of.spec },
    mean: 0 - of.mean,
    variance: of.variance,
    low: -of.high,
    high: -of.low,
    leftIndex: of.rightIndex,
    rightIndex: of.leftIndex,
    atoms: Object.freeze(of.atoms.map((atom) => 0 - atom)),
    closedPartialMean: of.closedPartialMean,
    absoluteMoment: (order) => of.absoluteMoment(order),
    momentAbout: (centre, order) => of.momentAbout(-centre, order),
    partialMean: (low, high) => 0 - of.partialMean(-high, -low),
    cdf: (x) => of.survival(-x),
    survival: (x) => of.cdf(-x),
    sample: (rng) => 0 - of.sample(rng),
    verdict: (sign, shift) => of.truncatedNonNegativity(sign > 0 ? -1 : 1, shift),
  });
}
