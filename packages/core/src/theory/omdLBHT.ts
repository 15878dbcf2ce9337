// OMD-LB-HT: Cheng, Zhou and Ji (NeurIPS 2024). An order without a constant, with probability 1 - zeta; the policy of this library has zeta = 1/T.

import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { MINIMAX_EXPONENTS } from "./exponents.js";

const ORDER = "O(sigma K^(1-1/alpha) T^(1/alpha) (ln T)^2 ln(T/zeta)), zeta = 1/T";

export const OMD_LB_HT_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "omd-lb-ht/adversarial",
      policy: "omd-lb-ht",
      kind: "upper",
      regime: "adversarial",
      assumptions: ["heavy-tailed", "alpha-known", "sigma-known", "horizon-known"],
      needsGaps: false,
      formula: { printed: ORDER, corrected: ORDER },
      source: "Cheng, Zhou and Ji (NeurIPS 2024), the theorem on their Algorithm 1, in a text conversion; an order without a constant",
      correction: null,
      exponents: { ...MINIMAX_EXPONENTS, logarithm: () => 3 },
    },
    () => null,
  ),
];
