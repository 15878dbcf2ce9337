// OptTINF: Huang, Dai and Huang (ICML 2022), Algorithm 2: HTINF run with alpha = 2 and sigma = 1, whatever their true values.
// In the bounds alpha and sigma are the true ones. Neither bound is scale-covariant: losses are compared with the constant 1.
//
// Instance bound, corrected. The proof splits R into three parts and bounds each by a sum over t of 1/t plus a share of R:
// (3-alpha)/8, 1/8 and (3-alpha)/8. Moving the shares to the left leaves (1+2 alpha)/8 of R there, where the paper writes (alpha-1)/4.

import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import type { Bound } from "./bound.js";
import { defineBound } from "./defineBound.js";
import { sumOverOthers } from "./sumOverGaps.js";

/** 4^((3-a)/(a-1)) c^(2/(a-1)) sigma^(2a/(a-1)) sum Delta^(-(3-a)/(a-1)), as one exponential: separate factors could overflow and vanish against each other. */
function powerSum(constant: number, alpha: number, sigma: number, gaps: readonly number[]): number {
  const logMoment = log(constant) + alpha * log(sigma);
  return sumOverOthers(gaps, (gap) => exp((2 * logMoment + (3 - alpha) * (2 * Math.LN2 - log(gap))) / (alpha - 1)));
}

const inverseSum = (gaps: readonly number[]): number => sumOverOthers(gaps, (gap) => 1 / gap);

export const OPT_TINF_BOUNDS: readonly Bound[] = [
  defineBound(
    {
      id: "opttinf/adversarial",
      policy: "opttinf",
      kind: "upper",
      regime: "adversarial",
      assumptions: ["heavy-tailed", "truncated-non-negative"],
      needsGaps: false,
      formula: {
        printed: "26 sigma^alpha K^((alpha-1)/2) (T+1)^((3-alpha)/2) + 4 sqrt(K (T+1))",
        corrected: "26 sigma^alpha K^((alpha-1)/2) (T+1)^((3-alpha)/2) + 4 sqrt(K (T+1))",
      },
      source: "Huang, Dai and Huang (ICML 2022), OptTINF theorem of the appendix, statement 1",
      correction: "The appendix is right; Table 1 drops the term sqrt(K T), which is the larger one when sigma is small.",
      exponents: { horizon: (alpha) => (3 - alpha) / 2, logarithm: () => 0, arms: (alpha) => (alpha - 1) / 2, sigma: (alpha) => alpha },
    },
    ({ arms, horizon, alpha, sigma }) =>
      26 * pow(sigma, alpha) * pow(arms, (alpha - 1) / 2) * pow(horizon + 1, (3 - alpha) / 2) + 4 * Math.sqrt(arms * (horizon + 1)),
  ),
  defineBound(
    {
      id: "opttinf/stochastically-constrained",
      policy: "opttinf",
      kind: "upper",
      regime: "stochastically-constrained",
      assumptions: ["heavy-tailed", "truncated-non-negative", "unique-best-arm"],
      needsGaps: true,
      formula: {
        printed:
          "{ 2 4^((3-alpha)/(alpha-1)) (5^(2/(alpha-1)) + 8^(2/(alpha-1))) sigma^(2 alpha/(alpha-1)) sum_i Delta_i^(-(3-alpha)/(alpha-1)) + 32 sigma/(alpha-1) sum_i 1/Delta_i } ln(T+1)",
        corrected:
          "8/(1+2 alpha) { (alpha-1)/2 4^((3-alpha)/(alpha-1)) (5^(2/(alpha-1)) + 8^(2/(alpha-1))) sigma^(2 alpha/(alpha-1)) sum_i Delta_i^(-(3-alpha)/(alpha-1)) + 8 sum_i 1/Delta_i } (1 + ln T)",
      },
      source: "Huang, Dai and Huang (ICML 2022), OptTINF theorem of the appendix, statement 2; corrected by our derivation",
      correction:
        "What the three parts leave of R is (1+2 alpha)/8, not (alpha-1)/4, so the factor 1/(alpha-1) is spurious. The sigma of the 1/Delta term is stray: " +
        "part (A) has none, and for sigma < 1 the printed display does not follow. The logarithm becomes 1 + ln T as for HTINF. " +
        "The theorem of the main text and Table 1 drop the sum of 1/Delta altogether.",
      exponents: { horizon: () => 0, logarithm: () => 1, arms: () => 1, sigma: (alpha) => (2 * alpha) / (alpha - 1) },
    },
    ({ horizon, alpha, sigma, gaps }) =>
      (2 * (powerSum(5, alpha, sigma, gaps) + powerSum(8, alpha, sigma, gaps)) + (32 / (alpha - 1)) * (sigma * inverseSum(gaps))) * log(horizon + 1),
    ({ horizon, alpha, sigma, gaps }) =>
      (8 / (1 + 2 * alpha)) *
      (((alpha - 1) / 2) * (powerSum(5, alpha, sigma, gaps) + powerSum(8, alpha, sigma, gaps)) + 8 * inverseSum(gaps)) *
      (1 + log(horizon)),
  ),
];
