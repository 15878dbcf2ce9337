import { pow } from "../elementary/pow.js";
import { show, TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { twoPointPair } from "./twoPointPair.js";

export const LOWER_BOUND = {
  alpha: ALPHA,
  arms: { type: "integer", atLeast: 2, description: "the number of arms" },
  gap: { type: "number", above: 0, atMost: 0.5, description: "the best arm's mean; all others have twice that" },
} as const satisfies Parameters;

/** Losses rarer than this are not drawn faithfully: a uniform has 53 bits, so it meets a probability to within 2^-53. */
const RAREST = 1e-12;

/**
 * The two-point pair of Bubeck, Cesa-Bianchi and Lugosi's lower bounds ("Bandits with heavy tail", 2013), as losses. With eps = alpha - 1 and
 * gamma = (2 gap)^(1/eps), a loss is 1/gamma with probability gamma^(1+eps) = 2 gap gamma, else 0. One arm, drawn from the seed, has half that probability.
 * The means are 2 gap and gap, and E|X|^alpha is 1 and 1/2, so sigma at alpha is 1.
 */
export function lowerBound(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(LOWER_BOUND, options, path);
  const { alpha, gap } = completed;
  const gamma = pow(2 * gap, 1 / (alpha - 1));
  if (!(gap * gamma >= RAREST)) {
    throw new TsallisError(
      "ERR_PARAMETER",
      `${path}gap`,
      gap,
      `${path}gap must be larger for alpha ${alpha}: at ${show(gap)} the best arm has a loss other than 0 with probability ${show(gap * gamma)}, below ${RAREST}, which 53-bit uniforms do not draw faithfully`,
    );
  }
  return twoPointPair("lower-bound", completed, seed, 1 / gamma, 2 * gap * gamma);
}
