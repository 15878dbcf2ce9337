// Ada2TINF: Huang, Dai and Huang (ICML 2022), Algorithm 4: fresh AdaTINF instances with horizons 2^m - 1, m = 1, 2, ...
//
// Corrected. The super-epochs 1..m last 2^(m+1) - 2 - m rounds together; let M be the first with 2^(M+1) - 2 - M >= T. Of arm i* the proof of
// AdaTINF uses only that its losses are truncated non-negative, so its bound holds in every super-epoch against the arm that is best
// over all T rounds. It also holds for an unfinished super-epoch: losses of 0 in the missing rounds add no regret. With T = 2^m - 1,
//   R <= sum_{m=1}^{M} { 272 sigma K^(1-1/alpha) 2^(m/alpha) + 16 sigma (2^m - 1)^(1/alpha) + 4 sqrt(K 2^m) }
//     <= (272 K^(1-1/alpha) + 16) sigma G(2^(1/alpha)) + 4 sqrt(K) G(sqrt 2),   G(r) = r + r^2 + ... + r^M = r (r^M - 1)/(r - 1).
// Since T >= 2^M - M, also 2^M <= 4 (T+1)/3 (equality at T = 2 and 5), and G(r) < r^M / (1 - 1/r) gives the closed form
//   R <= (272 K^(1-1/alpha) + 16) sigma (4(T+1)/3)^(1/alpha) / (1 - 2^(-1/alpha)) + 4 sqrt(4 K (T+1)/3) / (1 - 2^(-1/2)).

import { pow } from "../elementary/pow.js";
import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { MINIMAX_EXPONENTS } from "./exponents.js";
import { minimaxRate } from "./minimaxRate.js";

/** M, the number of super-epochs that a run of `horizon` rounds enters. */
function superEpochs(horizon: number): number {
  let count = 1;
  for (let played = 1, length = 1; played < horizon; played += length) {
    length = 2 * length + 1;
    count++;
  }
  return count;
}

/** ratio + ratio^2 + ... + ratio^count. */
function geometricSum(ratio: number, count: number): number {
  return (ratio * (pow(ratio, count) - 1)) / (ratio - 1);
}

export const ADA2_TINF_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "ada2tinf/adversarial",
      policy: "ada2tinf",
      kind: "upper",
      regime: "adversarial",
      assumptions: ["heavy-tailed", "truncated-non-negative"],
      needsGaps: false,
      formula: {
        printed: "600 sigma K^(1-1/alpha) (T+1)^(1/alpha)",
        corrected:
          "(272 K^(1-1/alpha) + 16) sigma G(2^(1/alpha)) + 4 sqrt(K) G(sqrt 2), where G(r) = r (r^M - 1)/(r - 1) and M is the least with 2^(M+1) - 2 - M >= T",
      },
      source: "Huang, Dai and Huang (ICML 2022), Ada2TINF theorem of the appendix; corrected by our derivation",
      correction:
        "The geometric sum over super-epochs has factor 1/(1 - 2^(-1/alpha)), which is 2 at alpha = 1 only (2.70 at 1.5, 3.41 at 2), and the term sqrt(K T) of " +
        "AdaTINF is lost. Without it the theorem is false for small sigma: two arms with losses 0 and 1e-6 over 1e7 rounds cost 4.996, above the printed 2.683.",
      exponents: MINIMAX_EXPONENTS,
    },
    ({ arms, horizon, alpha, sigma }) => 600 * sigma * minimaxRate(arms, horizon + 1, alpha),
    ({ arms, horizon, alpha, sigma }) => {
      const count = superEpochs(horizon);
      return (
        (272 * pow(arms, 1 - 1 / alpha) + 16) * sigma * geometricSum(pow(2, 1 / alpha), count) + 4 * Math.sqrt(arms) * geometricSum(Math.SQRT2, count)
      );
    },
  ),
];
