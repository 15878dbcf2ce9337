import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { phased } from "./phased.js";
import { requireAlternate } from "./requireAlternate.js";

export const SWITCHING = {
  alpha: ALPHA,
  arms: { type: "distributions", minimum: 1, description: "the distributions of rounds 1 to period, and of every other stretch after that" },
  alternate: { type: "distributions", minimum: 1, description: "the distributions of the stretches in between" },
  period: { type: "integer", atLeast: 1, description: "the rounds between two switches; half the horizon gives one switch" },
} as const satisfies Parameters;

/** Two lists of distributions take turns, `period` rounds each. */
export function switching(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(SWITCHING, options, path);
  const { arms, alternate, period } = completed;
  requireAlternate(arms, alternate, path);
  return phased("switching", completed, seed, [arms, alternate], (round) => Math.floor((round - 1) / period) % 2);
}
