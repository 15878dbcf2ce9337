import { TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { growingPhases } from "./growingPhases.js";
import { phased } from "./phased.js";
import { requireAlternate } from "./requireAlternate.js";

export const STOCHASTICALLY_CONSTRAINED = {
  alpha: ALPHA,
  arms: { type: "distributions", minimum: 1, description: "the distributions of the first phase, the third, and so on" },
  alternate: { type: "distributions", minimum: 1, description: "the distributions of the other phases; their best arm must be the same" },
  growth: { type: "number", above: 1, default: 1.6, description: "each phase is this many times longer than the one before, rounded up" },
} as const satisfies Parameters;

/**
 * The level of the losses jumps between phases of growing length, while one arm stays best and keeps its gaps. It is the stochastically
 * constrained adversary of Wei and Luo (COLT 2018), in the form of Zimmert and Seldin's experiments (AISTATS 2019), whose mean losses alternate
 * between (0, Delta) and (1 - Delta, 1), Bernoulli. Their phases grow geometrically too; the factor 1.6, rounded up, is our choice, after a public implementation.
 */
export function stochasticallyConstrained(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(STOCHASTICALLY_CONSTRAINED, options, path);
  const { arms, alternate, growth } = completed;
  requireAlternate(arms, alternate, path);
  const phaseOf = growingPhases(growth);
  const environment = phased("stochastically-constrained", completed, seed, [arms, alternate], (round) => phaseOf(round) % 2);
  if (environment.gaps === undefined) {
    const means = alternate.map((distribution) => distribution.mean);
    throw new TsallisError(
      "ERR_PARAMETER",
      `${path}alternate`,
      means,
      `${path}alternate must have the same best arm as arms, but its means are ${means.join(", ")} and those of arms are ${arms.map((distribution) => distribution.mean).join(", ")}; for a best arm that changes, take the environment "switching"`,
    );
  }
  return environment;
}
