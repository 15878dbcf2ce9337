import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteDistribution } from "./discreteDistribution.js";
import type { DetailedDistribution } from "./distribution.js";

export const BERNOULLI = {
  p: { type: "number", atLeast: 0, atMost: 1, description: "the probability of the value 1; otherwise it is 0" },
} as const satisfies Parameters;

/**
 * 1 with probability p, else 0.
 *
 * @example
 * ```ts
 * import { bernoulli } from "tsallis";
 *
 * const distribution = bernoulli({ p: 0.25 });
 * console.log(distribution.mean, distribution.variance); // 0.25 0.1875
 * ```
 */
export function bernoulli(options: Completed<typeof BERNOULLI>, path = ""): DetailedDistribution {
  const { p } = completeOptions(BERNOULLI, options, path);
  return discreteDistribution({ distribution: "bernoulli", p }, 1, p, (rng) => (rng.uniform() < p ? 1 : 0));
}
