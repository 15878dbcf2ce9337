// 1/2-Tsallis-INF. With importance weighting: Zimmert and Seldin, "An Optimal Algorithm for Stochastic and Adversarial Bandits" (AISTATS 2019),
// Theorem 2. With reduced variance: the JMLR 2021 version, as an audit of its proof states it. Losses lie in [0, 1]; alpha and sigma play no part. With
// heavy-tailed losses the policy has no bound.

import { log } from "../elementary/log.js";
import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { sumOverOthers } from "./sumOverGaps.js";

const REDUCED_INSTANCE = "sum_i (ln T + 3)/Delta_i + 2/min_i Delta_i + 28 K ln T + 1.5 sqrt(K) + 32";

export const TSALLIS_INF_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "tsallis-inf/adversarial",
      policy: "tsallis-inf",
      options: { estimator: "iw" },
      kind: "upper",
      regime: "adversarial",
      assumptions: ["bounded-losses"],
      needsGaps: false,
      formula: { printed: "4 sqrt(K T) + 1", corrected: "4 sqrt(K T) + 1" },
      source: "Zimmert and Seldin (AISTATS 2019), Theorem 2, adversarial regime",
      correction: null,
      exponents: { horizon: () => 1 / 2, logarithm: () => 0, arms: () => 1 / 2, sigma: null },
    },
    ({ arms, horizon }) => 4 * Math.sqrt(arms * horizon) + 1,
  ),
  defineBound(
    {
      id: "tsallis-inf/stochastically-constrained",
      policy: "tsallis-inf",
      options: { estimator: "iw" },
      kind: "upper",
      regime: "stochastically-constrained",
      assumptions: ["bounded-losses", "unique-best-arm"],
      needsGaps: true,
      formula: { printed: "sum_i (4 ln T + 68)/Delta_i + 4 sqrt(K)", corrected: "sum_i (4 ln T + 68)/Delta_i + 4 sqrt(K)" },
      source: "Zimmert and Seldin (AISTATS 2019), Theorem 2, stochastically constrained regime",
      correction: null,
      exponents: { horizon: () => 0, logarithm: () => 1, arms: () => 1, sigma: null },
    },
    ({ arms, horizon, gaps }) => sumOverOthers(gaps, (gap) => (4 * log(horizon) + 68) / gap) + 4 * Math.sqrt(arms),
  ),
  defineBound(
    {
      id: "tsallis-inf/rv/adversarial",
      policy: "tsallis-inf",
      options: { estimator: "rv" },
      kind: "upper",
      regime: "adversarial",
      assumptions: ["bounded-losses"],
      needsGaps: false,
      formula: { printed: "2 sqrt(K T) + 10 K ln T + 16", corrected: "2 sqrt(K T) + 14 K ln T + 16" },
      source: "Zimmert and Seldin (JMLR 2021), its theorem for reduced variance, adversarial regime, through an audit of the proof",
      correction: "The proof gives 14 K ln T, as the audit finds.",
      exponents: { horizon: () => 1 / 2, logarithm: () => 0, arms: () => 1 / 2, sigma: null },
    },
    ({ arms, horizon }) => 2 * Math.sqrt(arms * horizon) + 10 * arms * log(horizon) + 16,
    ({ arms, horizon }) => 2 * Math.sqrt(arms * horizon) + 14 * arms * log(horizon) + 16,
  ),
  defineBound(
    {
      id: "tsallis-inf/rv/stochastically-constrained",
      policy: "tsallis-inf",
      options: { estimator: "rv" },
      kind: "upper",
      regime: "stochastically-constrained",
      assumptions: ["bounded-losses", "unique-best-arm"],
      needsGaps: true,
      formula: { printed: REDUCED_INSTANCE, corrected: REDUCED_INSTANCE },
      source:
        "Zimmert and Seldin (JMLR 2021), its theorem for reduced variance, self-bounding regime without corruption, through an audit of the proof",
      correction: null,
      exponents: { horizon: () => 0, logarithm: () => 1, arms: () => 1, sigma: null },
    },
    ({ arms, horizon, gaps }) =>
      sumOverOthers(gaps, (gap) => (log(horizon) + 3) / gap) + 2 / leastOfOthers(gaps) + 28 * arms * log(horizon) + 1.5 * Math.sqrt(arms) + 32,
  ),
];

/** The smallest gap of all arms but one best arm; Infinity if there is only one arm. */
function leastOfOthers(gaps: readonly number[]): number {
  const best = gaps.indexOf(0);
  return gaps.reduce((least, gap, arm) => (arm === best ? least : Math.min(least, gap)), Number.POSITIVE_INFINITY);
}
