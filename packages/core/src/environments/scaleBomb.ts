import { scaled } from "../distributions/scaled.js";
import { show, TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { phased } from "./phased.js";
import { requireMeans } from "./requireMeans.js";

export const SCALE_BOMB = {
  alpha: ALPHA,
  arms: { type: "distributions", minimum: 1, description: "the distribution of each arm's losses outside the window" },
  from: { type: "integer", atLeast: 1, description: "the first round of the window" },
  until: { type: "integer", atLeast: 1, description: "the last round of the window" },
  factor: { type: "number", atLeast: 1e-300, atMost: 1e300, description: "the factor of the losses in the window" },
} as const satisfies Parameters;

/**
 * A window of rounds in which every loss is multiplied by `factor`: a sudden change of scale. The order of the arms stays,
 * so the environment is stochastically constrained, with the gaps of the smaller scale.
 */
export function scaleBomb(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(SCALE_BOMB, options, path);
  const { arms, from, until, factor } = completed;
  if (until < from) {
    throw new TsallisError("ERR_PARAMETER", `${path}until`, until, `${path}until must be at least from, ${from}, got ${show(until)}`);
  }
  requireMeans(arms, `${path}arms`);
  const bombed = arms.map((distribution) => scaled({ by: factor, of: distribution }));
  if (!bombed.every((distribution) => Number.isFinite(distribution.mean))) {
    throw new TsallisError("ERR_PARAMETER", `${path}factor`, factor, `${path}factor must leave every mean finite, got ${show(factor)}`);
  }
  return phased("scale-bomb", completed, seed, [arms, bombed], (round) => (round >= from && round <= until ? 1 : 0));
}
