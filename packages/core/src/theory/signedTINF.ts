// SignedTINF, a policy of this library. docs/reference/signed-tinf-proof.md has the theorem and its proof:
//
//     R_T <= sigma sum_t C_t t^(1/alpha-1) E S_t,   S_t = the sum of x_i^(1/alpha) over all arms but the one that is compared with.
//
// C_t falls from t = 2 on, so C = C_100 serves all later rounds, and A is what the first 99 have above it.

import { expm1 } from "../elementary/expm1.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { INSTANCE_EXPONENTS, MINIMAX_EXPONENTS } from "./exponents.js";
import { sumOverOthers } from "./sumOverGaps.js";

/** The constants are those of the default Theta: a policy with another one has no bound here. */
const OWN_THETA = { theta: undefined };
const SOURCE = "this library, docs/reference/signed-tinf-proof.md";
const FIRST = 100;

/** 1 - (1 - 1/t)^power, times t: p_t / alpha if the power is 1/alpha, q_t if it is q. */
function perRound(round: number, power: number): number {
  return round === 1 ? 1 : -round * expm1(power * log1p(-1 / round));
}

/** phi(-s) / s^2 relative to its limit at s = 0, where phi(u) = (alpha-1) ((1+u)^(-1/(alpha-1)) - 1) + u. */
function growth(s: number, alpha: number): number {
  return ((2 * (alpha - 1)) / alpha) * (((alpha - 1) * expm1(-log1p(-s) / (alpha - 1)) - s) / (s * s));
}

/** The largest (1 + y^(1-1/alpha)) / (1 + y), y >= 0: the largest (1-x) + (1-x)^(1/alpha) x^(1-1/alpha), with y = x / (1-x). Its derivative changes its sign in (0, alpha - 1). */
function largestRatio(alpha: number): number {
  let [low, high] = [0, alpha - 1];
  for (let i = 0; i < 60; i++) {
    const y = (low + high) / 2;
    if ((alpha - 1) * pow(y, -1 / alpha) - pow(y, 1 - 1 / alpha) > alpha) low = y;
    else high = y;
  }
  return (1 + pow(high, 1 - 1 / alpha)) / (1 + high);
}

/** C_t for every round from 1 to the last. */
export function roundFactors(alpha: number, last: number): number[] {
  const theta = 0.4 * (alpha - 1);
  const q = pow(2.5, alpha - 1) / pow(alpha, alpha);
  const spread = Math.sqrt(largestRatio(alpha) * pow(theta, 2 - alpha));
  return Array.from({ length: last }, (_, index) => {
    const round = index + 1;
    // In round 1 all arms are alike, and their bonuses differ by nothing.
    const [bonus, moved] = round === 1 ? [q, 0] : [perRound(round, q), perRound(round, q)];
    const deviation = spread + moved / Math.sqrt(round);
    return (
      alpha * perRound(round, 1 / alpha) + q + bonus + ((alpha * growth(theta + moved / round, alpha)) / (2 * (alpha - 1))) * deviation * deviation
    );
  });
}

/** C and A. Both grow without limit as alpha falls to 1; beyond the range of a double they are Infinity. */
function constants(alpha: number): { readonly rate: number; readonly start: number } {
  const factors = roundFactors(alpha, FIRST);
  const rate = factors[FIRST - 1]!;
  const start = factors.reduce((sum, factor, index) => (factor > rate ? sum + (factor - rate) * pow(index + 1, 1 / alpha - 1) : sum), 0);
  return { rate, start };
}

export const SIGNED_TINF_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "signed-tinf/adversarial",
      policy: "signed-tinf",
      options: OWN_THETA,
      kind: "upper",
      regime: "adversarial",
      assumptions: ["heavy-tailed", "alpha-known", "sigma-known"],
      needsGaps: false,
      formula: {
        printed: "sigma (K-1)^(1-1/alpha) (A + alpha C T^(1/alpha))",
        corrected: "sigma (K-1)^(1-1/alpha) (A + alpha C T^(1/alpha))",
      },
      source: SOURCE,
      correction: null,
      exponents: MINIMAX_EXPONENTS,
    },
    ({ arms, horizon, alpha, sigma }) => {
      if (arms === 1) return 0;
      const { rate, start } = constants(alpha);
      return sigma * pow(arms - 1, 1 - 1 / alpha) * (start + alpha * rate * pow(horizon, 1 / alpha));
    },
  ),
  defineBound(
    {
      id: "signed-tinf/stochastically-constrained",
      policy: "signed-tinf",
      options: OWN_THETA,
      kind: "upper",
      regime: "stochastically-constrained",
      assumptions: ["heavy-tailed", "unique-best-arm", "alpha-known", "sigma-known"],
      needsGaps: true,
      formula: {
        printed: "alpha/(alpha-1) A sigma (K-1)^(1-1/alpha) + C sigma sum_i (C sigma/Delta_i)^(1/(alpha-1)) (1 + ln T)",
        corrected: "alpha/(alpha-1) A sigma (K-1)^(1-1/alpha) + C sigma sum_i (C sigma/Delta_i)^(1/(alpha-1)) (1 + ln T)",
      },
      source: SOURCE,
      correction: null,
      exponents: INSTANCE_EXPONENTS,
    },
    ({ arms, horizon, alpha, sigma, gaps }) => {
      if (arms === 1) return 0;
      const { rate, start } = constants(alpha);
      const first = (alpha / (alpha - 1)) * start * sigma * pow(arms - 1, 1 - 1 / alpha);
      return first + rate * sigma * sumOverOthers(gaps, (gap) => pow(rate * (sigma / gap), 1 / (alpha - 1))) * (1 + log(horizon));
    },
  ),
];
