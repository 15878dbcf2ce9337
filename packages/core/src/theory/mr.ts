// MR-UCB and MR-APE: Lee and Lim, "Minimax Optimal Bandits for Heavy Tail Rewards" (IEEE Trans. Neural Netw. Learn. Syst., 2022). Checked against the abstract, which gives an order
// in which sigma counts as a constant, and no constant, so every value is null. Of the instance-dependent bound it says only "a power of ln T".

import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";

export const MR_BOUNDS: readonly Bound[] = ["mr-ucb", "mr-ape"].map((policy) =>
  defineBound(
    {
      id: `${policy}/instance-independent`,
      policy,
      kind: "upper",
      regime: "stochastic",
      assumptions: ["heavy-tailed", "alpha-known", "horizon-known"],
      needsGaps: false,
      formula: { printed: "O(K^(1-1/alpha) T^(1/alpha))", corrected: "O(K^(1-1/alpha) T^(1/alpha))" },
      source: "Lee and Lim (IEEE Trans. Neural Netw. Learn. Syst., 2022), its abstract; an order without a constant",
      correction: null,
      exponents: { horizon: (alpha) => 1 / alpha, logarithm: () => 0, arms: (alpha) => 1 - 1 / alpha, sigma: null },
    },
    () => null,
  ),
);
