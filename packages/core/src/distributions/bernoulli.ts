import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteLaw } from "./discreteLaw.js";
import type { Law } from "./law.js";

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
 * const law = bernoulli({ p: 0.25 });
 * console.log(law.mean, law.variance); // 0.25 0.1875
 * ```
 */
export function bernoulli(options: Completed<typeof BERNOULLI>, path = ""): Law {
  const { p } = completeOptions(BERNOULLI, options, path);
  return discreteLaw({ distribution: "bernoulli", p }, 1, p, (rng) => (rng.uniform() < p ? 1 : 0));
}
