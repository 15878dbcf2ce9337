import { pow } from "../elementary/pow.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { twoPointPair } from "./twoPointPair.js";

export const MINIMAX = {
  alpha: ALPHA,
  arms: { type: "integer", atLeast: 2, description: "the number of arms" },
  sigma: { type: "number", atLeast: 1e-100, atMost: 1e100, default: 1, description: "the factor of all losses, which is the promised sigma" },
  horizon: { type: "integer", atLeast: 1, atMost: 1e13, description: "the number of rounds for which the problem is hard" },
} as const satisfies Parameters;

/** The expected number of nonzero losses of an arm in its share horizon / arms of the rounds. */
const EVENTS = 64;

/**
 * `lower-bound` at the gap that is hard for a horizon T: sigma (1/2) (64 K / T)^(1-1/alpha). A loss is sigma p^(-1/alpha) with probability p = 64 K / T, or p/2 for
 * the hidden best arm. sigma is promised exactly. Everything else about a run depends on (T, K) through T/K only, so regrets at different T, K and sigma
 * compare as sigma K^(1-1/alpha) T^(1/alpha).
 *
 * Every constant in place of 64 gives a regret of that order (see theory/lowerBounds.ts); the constant decides how much can be learnt. 64 was chosen by measurement:
 * with HTINF, for alpha in {1.3, 2}, K in {2, 10} and T in {20000, 80000}, regret over the order is largest between 32 and 128, and with AdaTINF it is flat around 64.
 * Below Theta^-alpha, 16 to 24 for alpha from 1.1 on, HTINF skips every nonzero loss while play is uniform, and so is no better than uniform play.
 * With fewer than 64 rounds per arm, p is 1.
 */
export function minimax(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(MINIMAX, options, path);
  const { alpha, arms, sigma, horizon } = completed;
  const probability = Math.min(1, (EVENTS * arms) / horizon);
  return twoPointPair("minimax", completed, seed, sigma * pow(probability, -1 / alpha), probability);
}
