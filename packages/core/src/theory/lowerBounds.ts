// Lower bounds: Bubeck, Cesa-Bianchi and Lugosi, "Bandits with heavy tail" (2013), Theorem 3, stated for sigma = 1. The orders were checked against
// Table 1 of Huang, Dai and Huang (ICML 2022). That the constants 0.4 and 0.01 are the printed ones was not checked; both hold by the constructions below.
//
// Scale. Dividing all losses by sigma divides sigma, the gaps and the regret by sigma, so a bound f(Delta) at sigma = 1 is sigma f(Delta/sigma) in general:
// 0.4 Delta^(-1/(alpha-1)) becomes 0.4 sigma (sigma/Delta)^(1/(alpha-1)), and 0.01 K^(1-1/alpha) T^(1/alpha) is multiplied by sigma.
//
// Check, in rewards with sigma = 1. Instance-independent: every arm pays 0, but one, drawn at random, pays q^(-1/alpha) with probability q = K/(2T), so its
// alpha-th moment is 1 and its mean q^(1-1/alpha). Until it pays, all arms look alike, so R >= q^(1-1/alpha) (T - T/K) (1-q)^(T/K), at least
// 0.17 K^(1-1/alpha) T^(1/alpha) for T >= K >= 2. Instance-dependent: the best arm always pays Delta, the others 0. A consistent policy must rule out that an
// arm pays q^(-1/alpha) with probability q just above Delta^(alpha/(alpha-1)), so R / ln T >= (K-1) Delta / -ln(1-q) in the limit, at least
// 0.96 (K-1) Delta^(-1/(alpha-1)) for Delta <= 1/4.

import { pow } from "../elementary/pow.js";
import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { INSTANCE_EXPONENTS, MINIMAX_EXPONENTS } from "./exponents.js";
import { minimaxRate } from "./minimaxRate.js";
import { sumOverSuboptimal } from "./sumOverGaps.js";
import { timesLog } from "./timesLog.js";

function instanceBound(horizon: number, alpha: number, sigma: number, gaps: readonly number[]): number {
  return timesLog(0.4 * sigma * sumOverSuboptimal(gaps, (gap) => pow(sigma / gap, 1 / (alpha - 1))), horizon);
}

export const LOWER_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "lower/instance-dependent",
      policy: null,
      kind: "lower",
      regime: "stochastic",
      assumptions: ["heavy-tailed", "consistent-policy", "asymptotic", "small-gaps"],
      needsGaps: true,
      formula: {
        printed: "0.4 sigma^(alpha/(alpha-1)) Delta^(-1/(alpha-1)) ln T, for two arms",
        corrected: "0.4 sigma^(alpha/(alpha-1)) sum_i Delta_i^(-1/(alpha-1)) ln T, for equal positive gaps",
      },
      source:
        "Bubeck, Cesa-Bianchi and Lugosi (2013), Theorem 3, scaled from sigma = 1; experimental: that it prints the constant 0.4 was not checked, but it holds by our own construction",
      correction:
        "The theorem has two arms; Table 1 of Huang, Dai and Huang sums over all arms without a constant. Our construction gives the sum when all positive gaps " +
        "are equal; for unequal gaps no constant that is uniform in alpha is established, and the value is null.",
      exponents: INSTANCE_EXPONENTS,
    },
    ({ arms, horizon, alpha, sigma, gaps }) => (arms === 2 ? instanceBound(horizon, alpha, sigma, gaps) : null),
    ({ horizon, alpha, sigma, gaps }) => {
      const positive = gaps.find((gap) => gap > 0);
      return gaps.every((gap) => gap === 0 || gap === positive) ? instanceBound(horizon, alpha, sigma, gaps) : null;
    },
  ),
  defineBound(
    {
      id: "lower/instance-independent",
      policy: null,
      kind: "lower",
      regime: "stochastic",
      assumptions: ["heavy-tailed", "horizon-at-least-arms"],
      needsGaps: false,
      formula: { printed: "0.01 sigma K^(1-1/alpha) T^(1/alpha)", corrected: "0.01 sigma K^(1-1/alpha) T^(1/alpha)" },
      source:
        "Bubeck, Cesa-Bianchi and Lugosi (2013), Theorem 3, scaled from sigma = 1; experimental: that it prints the constant 0.01 was not checked, but it holds by our own construction",
      correction: null,
      exponents: MINIMAX_EXPONENTS,
    },
    ({ arms, horizon, alpha, sigma }) => 0.01 * sigma * minimaxRate(arms, horizon, alpha),
  ),
];
