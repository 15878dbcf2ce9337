// uniINF: Chen, Huang, Dai and Huang (ICLR 2025). Orders without constants, checked against Table 1 of Cheng, Zhou and Ji (NeurIPS 2024), which quotes them;
// where that table prints u^(1+1/v), dimensions require u^(1+v), here sigma^alpha.

import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { INSTANCE_EXPONENTS, MINIMAX_EXPONENTS } from "./exponents.js";

const WORST_CASE = "O(sigma K^(1-1/alpha) T^(1/alpha) ((ln T)^(3/2) + ln sigma))";
const INSTANCE = "O(K (sigma^alpha/Delta)^(1/(alpha-1)) ln T ln(sigma^alpha/Delta)), Delta the smallest positive gap";
const SOURCE = "Chen, Huang, Dai and Huang (ICLR 2025), as Cheng, Zhou and Ji (NeurIPS 2024) quote it; an order without a constant";

export const UNI_INF_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "uniinf/adversarial",
      policy: "uniinf",
      kind: "upper",
      regime: "adversarial",
      assumptions: ["heavy-tailed", "truncated-non-negative", "horizon-known"],
      needsGaps: false,
      formula: { printed: WORST_CASE, corrected: WORST_CASE },
      source: SOURCE,
      correction: null,
      exponents: { ...MINIMAX_EXPONENTS, logarithm: () => 3 / 2 },
    },
    () => null,
  ),
  defineBound(
    {
      id: "uniinf/stochastic",
      policy: "uniinf",
      kind: "upper",
      regime: "stochastic",
      assumptions: ["heavy-tailed", "truncated-non-negative", "unique-best-arm", "horizon-known"],
      needsGaps: true,
      formula: { printed: INSTANCE, corrected: INSTANCE },
      source: `${SOURCE}; experimental: whether it needs a unique best arm was not checked`,
      correction: null,
      exponents: INSTANCE_EXPONENTS,
    },
    () => null,
  ),
];
