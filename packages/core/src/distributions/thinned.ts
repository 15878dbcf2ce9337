import { pow } from "../elementary/pow.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";

export const THINNED = {
  q: { type: "number", above: 0, atMost: 1, description: "the probability of keeping Y; otherwise the value is 0" },
  of: { type: "distribution", description: "the distribution of Y" },
} as const satisfies Parameters;

/**
 * 1{V < q} Y with V uniform: every moment is q times that of Y.
 *
 * @example
 * ```ts
 * import { pareto, thinned } from "tsallis";
 *
 * const distribution = thinned({ q: 0.1, of: pareto({ shape: 1.5, scale: 1 }) });
 * console.log(distribution.mean.toFixed(2), distribution.cdf(0)); // 0.30 0.9
 * ```
 */
export function thinned(options: Completed<typeof THINNED>, path = ""): DetailedDistribution {
  const { q, of } = completeOptions(THINNED, options, path);
  const zero = q < 1;
  return completeDistribution({
    spec: { distribution: "thinned", q, of: of.spec },
    mean: q * of.mean,
    variance: of.variance === Infinity ? Infinity : q * of.variance + q * (1 - q) * of.mean * of.mean,
    low: zero ? Math.min(of.low, 0) : of.low,
    high: zero ? Math.max(of.high, 0) : of.high,
    leftIndex: of.leftIndex,
    rightIndex: of.rightIndex,
    atoms: Object.freeze([...new Set(zero ? [0, ...of.atoms] : of.atoms)]),
    closedPartialMean: of.closedPartialMean,
    absoluteMoment: (order) => q * of.absoluteMoment(order),
    momentAbout: (centre, order) => q * of.momentAbout(centre, order) + (zero ? (1 - q) * pow(Math.abs(centre), order) : 0),
    partialMean: (low, high) => q * of.partialMean(low, high),
    cdf: (x) => q * of.cdf(x) + (x >= 0 ? 1 - q : 0),
    survival: (x) => q * of.survival(x) + (x <= 0 ? 1 - q : 0),
    sample: (rng) => (rng.uniform() < q ? of.sample(rng) : 0),
    verdict(sign, shift) {
      const inner = of.truncatedNonNegativity(sign, shift);
      if (shift === 0 || !zero) return inner;
      return shift > 0 && inner.holds === true
        ? { holds: true, reason: `both parts, the shift alone and Y with the shift, have the property; for Y: ${inner.reason}` }
        : { holds: undefined, reason: "no proof is known for a thinned distribution with this shift" };
    },
  });
}
