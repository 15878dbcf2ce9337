import { show, TsallisError } from "../errors.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";

export const SIGNED = {
  p: { type: "number", atLeast: 0, atMost: 1, description: "the probability of the sign +" },
  of: { type: "distribution", description: "the distribution of the size Y, never negative and with a finite mean" },
} as const satisfies Parameters;

/**
 * Y >= 0 with an independent sign. E|X|^a is that of Y for every p, and the mean is (2 p - 1) E Y: arms that differ in p alone share one sigma.
 *
 * @example
 * ```ts
 * import { pareto, signed } from "tsallis";
 *
 * const distribution = signed({ p: 0.5, of: pareto({ shape: 1.5, scale: 1 }) });
 * console.log(distribution.mean, distribution.cdf(0)); // 0 0.5
 * ```
 */
export function signed(options: Completed<typeof SIGNED>, path = ""): DetailedDistribution {
  const { p, of } = completeOptions(SIGNED, options, path);
  if (!(of.low >= 0 && of.mean < Infinity)) {
    const remedy = of.low >= 0 ? "have a finite mean" : "never be negative";
    throw new TsallisError("ERR_PARAMETER", `${path}of`, of.spec, `${path}of must ${remedy}, got ${show(of.spec)}`);
  }
  const atoms = [...new Set([...(p > 0 ? of.atoms : []), ...(p < 1 ? of.atoms.map((atom) => 0 - atom) : [])])];
  return completeDistribution({
    spec: { distribution: "signed", p, of: of.spec },
    mean: (2 * p - 1) * of.mean,
    variance: of.variance + 4 * p * (1 - p) * of.mean * of.mean,
    low: p < 1 ? -of.high : of.low,
    high: p > 0 ? of.high : -of.low,
    leftIndex: p < 1 ? of.rightIndex : Infinity,
    rightIndex: p > 0 ? of.rightIndex : Infinity,
    atoms: Object.freeze(atoms),
    closedPartialMean: of.closedPartialMean,
    absoluteMoment: (order) => of.absoluteMoment(order),
    momentAbout: (centre, order) => (p > 0 ? p * of.momentAbout(centre, order) : 0) + (p < 1 ? (1 - p) * of.momentAbout(-centre, order) : 0),
    partialMean: (low, high) => p * of.partialMean(low, high) - (1 - p) * of.partialMean(-high, -low),
    cdf: (x) => p * of.cdf(x) + (1 - p) * of.survival(-x),
    survival: (x) => p * of.survival(x) + (1 - p) * of.cdf(-x),
    sample(rng) {
      const positive = rng.uniform() < p;
      const size = of.sample(rng);
      return positive ? size : -size;
    },
    verdict(sign, shift) {
      const weight = sign > 0 ? p : 1 - p;
      if (weight >= 0.5 && shift >= 0) {
        return {
          holds: true,
          reason:
            "the sign is + with a probability of at least 1/2 and the shift is not negative: of the two values of one size, |X| > M keeps both, with a sum that is not negative, or only the positive one, or neither",
        };
      }
      if (weight < 0.5 && of.rightIndex < Infinity) {
        return { holds: false, reason: "both tails are the same power and the left one has the larger weight, so E[X 1{|X| > M}] < 0 for large M" };
      }
      return { holds: undefined, reason: "no proof is known for a sign and a shift that pull in opposite directions" };
    },
  });
}
