// AdaR-UCB: Genalti, Marsigli, Gatti and Metelli, "(epsilon, u)-Adaptive Regret Minimization in Heavy-Tailed Bandits" (COLT 2024). In their terms eps = alpha - 1 and
// u = sigma^alpha; their rewards are truncated non-positive, so losses are truncated non-negative. An audit of the proof found that its counting step drops a power:
// the argument gives a constant like 22^(alpha/(alpha-1)) in place of 120, and 46 falls with it. So only the order can be trusted.
// The second term is divided by P(X_i != 0), which is not part of a problem here: values are for P = 1. T = 1, where ln(T/2) is negative, counts as T = 2.

import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import type { Bound, BoundProblem } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { INSTANCE_EXPONENTS, WORST_CASE_EXPONENTS } from "./exponents.js";
import { sumOverSuboptimal } from "./sumOverGaps.js";

const COMMON = {
  policy: "adar-ucb",
  kind: "upper",
  regime: "stochastic",
  assumptions: ["heavy-tailed", "truncated-non-negative", "never-zero"],
  needsGaps: true,
  correction:
    "The counting step of the proof drops a power, so that 120 becomes a constant like 22^(alpha/(alpha-1)); neither 120 nor 46 is established. The printed guard is wrong too: the policy runs with the " +
    "exact condition for its root to exist.",
} as const;

/** ln(T/2), or 0 where it is negative. */
function halfLog(horizon: number): number {
  return horizon <= 2 ? 0 : log(horizon / 2);
}

/** sum_i (24 ln(T/2) + 20) Delta_i. */
function startCost({ horizon, gaps }: Required<BoundProblem>): number {
  return sumOverSuboptimal(gaps, (gap) => (24 * halfLog(horizon) + 20) * gap);
}

/** factor * logarithm, and 0 if the logarithm is 0 even when the factor has overflowed. */
function times(logarithm: number, factor: number): number {
  return logarithm === 0 ? 0 : logarithm * factor;
}

export const ADAR_UCB_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      ...COMMON,
      id: "adar-ucb/instance-dependent",
      formula: { printed: "sum_i { (120 (sigma^alpha/Delta_i)^(1/(alpha-1)) + 24 Delta_i/P(X_i != 0)) ln(T/2) + 20 Delta_i }", corrected: null },
      source: "Genalti, Marsigli, Gatti and Metelli (COLT 2024), Theorem 7; the flaw from an audit of the proof",
      exponents: INSTANCE_EXPONENTS,
    },
    (problem) =>
      sumOverSuboptimal(problem.gaps, (gap) =>
        times(halfLog(problem.horizon), 120 * problem.sigma * pow(problem.sigma / gap, 1 / (problem.alpha - 1))),
      ) + startCost(problem),
    () => null,
  ),
  defineBound(
    {
      ...COMMON,
      id: "adar-ucb/instance-independent",
      formula: {
        printed: "46 (K ln(T/2))^(1-1/alpha) sigma T^(1/alpha) + sum_i { 24 Delta_i/P(X_i != 0) ln(T/2) + 20 Delta_i }",
        corrected: null,
      },
      source: "Genalti, Marsigli, Gatti and Metelli (COLT 2024), the worst case of Theorem 7; the flaw from an audit of the proof",
      exponents: WORST_CASE_EXPONENTS,
    },
    (problem) => {
      const { arms, horizon, alpha, sigma } = problem;
      return 46 * (sigma * (pow(horizon, 1 / alpha) * pow(arms * halfLog(horizon), 1 - 1 / alpha))) + startCost(problem);
    },
    () => null,
  ),
];
