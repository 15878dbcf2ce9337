import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { phased } from "./phased.js";
import { requireMeans } from "./requireMeans.js";

export const STOCHASTIC = {
  alpha: ALPHA,
  arms: { type: "distributions", minimum: 1, description: "the distribution of each arm's losses, the same in every round" },
} as const satisfies Parameters;

/** Every arm has one distribution for all rounds (the paper's stochastic environments). */
export function stochastic(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(STOCHASTIC, options, path);
  requireMeans(completed.arms, `${path}arms`);
  return phased("stochastic", completed, seed, [completed.arms], () => 0);
}
