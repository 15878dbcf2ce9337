import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteLaw } from "./discreteLaw.js";
import type { Law } from "./law.js";

export const BERNOULLI = {
  p: { type: "number", atLeast: 0, atMost: 1, description: "the probability of the value 1; otherwise it is 0" },
} as const satisfies Parameters;

export function bernoulli(options: Completed<typeof BERNOULLI>, path = ""): Law {
  const { p } = completeOptions(BERNOULLI, options, path);
  return discreteLaw({ distribution: "bernoulli", p }, 1, p, (rng) => (rng.uniform() < p ? 1 : 0));
}
