// Tsallis-INF for late feedback: Zimmert and Seldin (AISTATS 2020), simple tuning. The constants are known, but D, the sum over rounds of the feedback outstanding, is not
// part of a problem here, so there is no value.

import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";

const FORMULA = "4 sqrt(K T) + sqrt(8 D ln K), D the sum over all rounds of the feedback outstanding";

export const DELAYED_TSALLIS_INF_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "delayed-tsallis-inf/adversarial",
      policy: "delayed-tsallis-inf",
      kind: "upper",
      regime: "adversarial",
      assumptions: ["bounded-losses"],
      needsGaps: false,
      formula: { printed: FORMULA, corrected: FORMULA },
      source: "Zimmert and Seldin (AISTATS 2020), simple tuning; no value, since it depends on D",
      correction: null,
      exponents: { horizon: () => 1 / 2, logarithm: () => 0, arms: () => 1 / 2, sigma: null },
    },
    () => null,
  ),
];
