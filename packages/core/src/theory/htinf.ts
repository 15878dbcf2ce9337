// HTINF: Huang, Dai and Huang, "Adaptive Best-of-Both-Worlds Algorithm for Heavy-Tailed Multi-Armed Bandits" (ICML 2022), Algorithm 1.
// The two statements of its theorem, with the constants of the appendix.
//
// Instance bound, corrected. The proof reaches R <= sum_t sum_{i != i*} s with s = 15 sigma t^(1/alpha-1) x^(1/alpha), and
// R >= sum_t sum_i Delta_i x. Hence R = 2R - R <= sum_t sum_i (2s - Delta_i x), and each term is largest where its derivative
// in x vanishes: (1-1/alpha) 30 sigma (30 sigma / (alpha Delta_i))^(1/(alpha-1)) / t. The sum of 1/t is at most 1 + ln T.

import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { INSTANCE_EXPONENTS, MINIMAX_EXPONENTS } from "./exponents.js";
import { minimaxRate } from "./minimaxRate.js";
import { sumOverOthers } from "./sumOverGaps.js";

/** The proofs assume the paper's Theta: a policy with another one has no bound. */
const OWN_THETA = { theta: undefined };

export const HTINF_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "htinf/adversarial",
      policy: "htinf",
      options: OWN_THETA,
      kind: "upper",
      regime: "adversarial",
      assumptions: ["heavy-tailed", "truncated-non-negative", "alpha-known", "sigma-known"],
      needsGaps: false,
      formula: { printed: "30 sigma K^(1-1/alpha) (T+1)^(1/alpha)", corrected: "30 sigma K^(1-1/alpha) (T+1)^(1/alpha)" },
      source: "Huang, Dai and Huang (ICML 2022), HTINF theorem of the appendix, statement 1",
      correction: null,
      exponents: MINIMAX_EXPONENTS,
    },
    ({ arms, horizon, alpha, sigma }) => 30 * sigma * minimaxRate(arms, horizon + 1, alpha),
  ),
  defineBound(
    {
      id: "htinf/stochastically-constrained",
      policy: "htinf",
      options: OWN_THETA,
      kind: "upper",
      regime: "stochastically-constrained",
      assumptions: ["heavy-tailed", "truncated-non-negative", "unique-best-arm", "alpha-known", "sigma-known"],
      needsGaps: true,
      formula: {
        printed: "2 (1-1/alpha) (alpha/2)^(-1/(alpha-1)) (30 sigma/alpha)^(alpha/(alpha-1)) sum_i Delta_i^(-1/(alpha-1)) ln(T+1)",
        corrected: "30 sigma (1-1/alpha) sum_i (30 sigma/(alpha Delta_i))^(1/(alpha-1)) (1 + ln T)",
      },
      source: "Huang, Dai and Huang (ICML 2022), HTINF theorem of the appendix, statement 2; corrected by our derivation",
      correction:
        "The lemma sum_{t<=T} 1/t <= ln(T+1) fails for every T, so the logarithm becomes 1 + ln T. " +
        "The factorisation printed as equal to s_{t,i} is 2/alpha times it; optimising directly makes the coefficient smaller by (2/alpha)^(alpha/(alpha-1)).",
      exponents: INSTANCE_EXPONENTS,
    },
    // The printed powers are gathered under one, because factor by factor they overflow earlier. Sigma meets the sum first: only they are exact at 0 and Infinity.
    ({ horizon, alpha, sigma, gaps }) => {
      const factor = 60 / (alpha * alpha);
      return (alpha - 1) * (factor * (sigma * sumOverOthers(gaps, (gap) => pow(factor * (sigma / gap), 1 / (alpha - 1))))) * log(horizon + 1);
    },
    ({ horizon, alpha, sigma, gaps }) =>
      (1 - 1 / alpha) * (30 * (sigma * sumOverOthers(gaps, (gap) => pow((30 / alpha) * (sigma / gap), 1 / (alpha - 1))))) * (1 + log(horizon)),
  ),
];
