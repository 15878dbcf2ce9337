// ForceMoM: Dewasurendra (preprint, July 2026, not peer reviewed). Orders without constants, at the usual rho = 2/3. Of T rounds K^(1/3) T^(2/3) explore, and each costs a gap;
// the others rely on medians of (T/K)^(2/3) samples, whose error is of order sigma (K/T)^(2/3 (1-1/alpha)). We derived the powers of K from that.

import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";

const COMMON = {
  policy: "forcemom",
  options: { rho: 2 / 3 },
  kind: "upper",
  regime: "stochastic",
  assumptions: ["heavy-tailed"],
  needsGaps: false,
  correction: null,
} as const;

const WORST_CASE = "O(sigma T^(1 - 2/3 (1-1/alpha))) up to factors that grow like ln ln T";
const FIXED = "O(T^(2/3)) on a fixed problem";

export const FORCE_MOM_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      ...COMMON,
      id: "forcemom/instance-dependent",
      formula: { printed: FIXED, corrected: FIXED },
      source: "Dewasurendra (preprint, 2026), at rho = 2/3; an order without a constant",
      exponents: { horizon: () => 2 / 3, logarithm: () => 0, arms: () => 1 / 3, sigma: null },
    },
    () => null,
  ),
  defineBound(
    {
      ...COMMON,
      id: "forcemom/instance-independent",
      formula: { printed: WORST_CASE, corrected: WORST_CASE },
      source: "Dewasurendra (preprint, 2026), at rho = 2/3; an order without a constant",
      exponents: {
        horizon: (alpha) => 1 - (2 / 3) * (1 - 1 / alpha),
        logarithm: () => 0,
        arms: (alpha) => (2 / 3) * (1 - 1 / alpha),
        sigma: () => 1,
      },
    },
    () => null,
  ),
];
