/**
 * What a bound assumes, with its meaning. The knowledge column of the source paper's Table 1 is here too: a run without that knowledge has no bound.
 *
 * @example
 * ```ts
 * import { BOUND_ASSUMPTIONS, bound } from "tsallis";
 *
 * for (const name of bound("htinf/adversarial").assumptions.slice(0, 1)) console.log(BOUND_ASSUMPTIONS[name]); // E|X|^alpha <= sigma^alpha for every loss, with the raw and not the centred moment
 * ```
 */
export const BOUND_ASSUMPTIONS = {
  "heavy-tailed": "E|X|^alpha <= sigma^alpha for every loss, with the raw and not the centred moment",
  "truncated-non-negative": "E[X 1{|X| > M}] >= 0 for every M >= 0, for every loss of one arm that is optimal in hindsight",
  "unique-best-arm": "exactly one gap is zero; otherwise the bound is infinite",
  "bounded-losses": "every loss lies in [0, 1]",
  "means-in-unit-interval": "every mean lies in [0, 1]",
  "never-zero": "no loss is exactly 0; otherwise a term of the bound is divided by the probability that it is not",
  "finite-variance": "alpha = 2; for other alpha there is no bound",
  "alpha-known": "the policy is given the alpha of the problem",
  "sigma-known": "the policy is given the sigma of the problem, or the moment bound that the formula derives from it",
  "horizon-known": "the policy is given the horizon of the problem",
  "horizon-at-least-arms": "the horizon is at least the number of arms, and there are two arms or more",
  "large-horizon": "the horizon is large enough, without a published threshold",
  "small-gaps": "every positive gap is below sigma / 4",
  "consistent-policy": "the policy's regret grows more slowly than every power of the horizon on every problem of the class",
  asymptotic: "a statement about the limit of regret / ln T: at a fixed horizon a policy may be below it",
} as const;

/** The name of an assumption of a bound. */
export type BoundAssumption = keyof typeof BOUND_ASSUMPTIONS;
