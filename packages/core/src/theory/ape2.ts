// APE2: Lee, Yang, Lim and Oh, "Optimal Algorithms for Stochastic Multi-Armed Bandits with Heavy Tailed Rewards" (NeurIPS 2020).
// Their bounds are orders: sigma counts as a constant and no explicit constant is known to us, so every value is null.

import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";

export const APE2_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "ape2/instance-dependent",
      policy: "ape2",
      kind: "upper",
      regime: "stochastic",
      assumptions: ["heavy-tailed", "means-in-unit-interval", "alpha-known"],
      needsGaps: true,
      formula: {
        printed: "O(sum_i Delta_i^(-1/(alpha-1)) (ln T)^(alpha/(alpha-1)))",
        corrected: "O(sum_i Delta_i^(-1/(alpha-1)) (ln T)^(alpha/(alpha-1)))",
      },
      source:
        "Lee et al. (NeurIPS 2020), as the footnote to Table 1 of Huang, Dai and Huang (ICML 2022) reads it; experimental: the dependence on the gaps was not compared with the paper",
      correction: null,
      exponents: { horizon: () => 0, logarithm: (alpha) => alpha / (alpha - 1), arms: () => 1, sigma: null },
    },
    () => null,
  ),
  defineBound(
    {
      id: "ape2/instance-independent",
      policy: "ape2",
      kind: "upper",
      regime: "stochastic",
      assumptions: ["heavy-tailed", "means-in-unit-interval", "alpha-known"],
      needsGaps: false,
      formula: { printed: "O(K^(1-1/alpha) T^(1/alpha) ln K)", corrected: "O(K^(1-1/alpha) T^(1/alpha) ln K)" },
      source: "Lee et al. (NeurIPS 2020), as Table 1 of Huang, Dai and Huang (ICML 2022) reads it",
      correction: null,
      exponents: { horizon: (alpha) => 1 / alpha, logarithm: () => 0, arms: (alpha) => 1 - 1 / alpha, sigma: null },
    },
    () => null,
  ),
];
