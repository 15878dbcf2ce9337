// 1/2-Tsallis-INF with importance weighting: Zimmert and Seldin, "An Optimal Algorithm for Stochastic and Adversarial Bandits" (AISTATS 2019),
// Theorem 2. Losses in [0, 1]; alpha and sigma play no part. With heavy-tailed losses the policy has no bound.

import { log } from "../elementary/log.js";
import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { sumOverOthers } from "./sumOverGaps.js";

export const TSALLIS_INF_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "tsallis-inf/adversarial",
      policy: "tsallis-inf",
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
];
