import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { MeanPolicy } from "./base/meanPolicy.js";
import { ARMS } from "./base/sharedParameters.js";

export const KL_UCB_PARAMETERS = {
  c: { type: "number", atLeast: 0, atMost: 1e6, default: 0, description: "weight of ln ln t in the confidence level; the proof needs 3" },
} as const satisfies Parameters;

/** The options of KLUCB: the arms, and the parameters of its spec. */
export interface KLUCBOptions {
  arms: number;
  c?: number;
}

/**
 * KL-UCB of Garivier and Cappe (COLT 2011, Algorithm 1), for losses: the smallest q with n_i kl(mean, q) <= ln t + c ln ln t, where kl is the
 * divergence of Bernoulli distributions. Its authors recommend c = 0 in practice and prove c = 3. It needs losses in [0, 1].
 * Deviation: a mean outside [0, 1] is clipped to it, so that the policy runs on any losses, without a guarantee.
 */
export class KLUCB extends MeanPolicy {
  readonly #c: number;

  constructor(options: KLUCBOptions) {
    const { arms, c } = completeOptions({ arms: ARMS, ...KL_UCB_PARAMETERS }, options);
    super({ policy: "kl-ucb", c }, arms);
    this.#c = c;
  }

  protected override indices(round: number, into: Float64Array): void {
    const t = log(round);
    const level = Math.max(0, this.#c === 0 ? t : t + this.#c * log(t));
    for (let i = 0; i < into.length; i++) into[i] = lowestWithin(Math.min(Math.max(this.means[i]!, 0), 1), level / this.samples[i]!);
  }
}

/** The divergence kl(p, q) of Bernoulli distributions, for 0 < q <= p < 1. It is computed from p - q when both are close, so that it keeps its digits. */
function bernoulliDivergence(p: number, q: number): number {
  const step = p - q;
  return -p * (2 * q < p ? log(q / p) : log1p(-step / p)) - (1 - p) * log1p(step / (1 - p));
}

/** More steps than any start needs; the most seen is 14. */
const MOST_STEPS = 60;

/**
 * The smallest q in [0, p] with kl(p, q) <= d, for p in [0, 1] and d >= 0.
 * As a function of q the divergence is convex and falls to 0 at p, so Newton's steps from the left of the root never pass it. Two starts are known
 * to lie there: p - sqrt(d / 2), since kl >= 2 (p - q)^2, and p exp(-1 - d / p), since kl >= p ln(p / q) - p. The larger one is used.
 */
export function lowestWithin(p: number, d: number): number {
  if (p === 0 || d === 0) return p;
  if (p === 1) return exp(-d);
  let q = Math.max(p - Math.sqrt(d / 2), p * exp(-1 - d / p));
  // The start has underflowed; the root is less than e times the start.
  if (q === 0) return 0;
  for (let step = 1; step <= MOST_STEPS; step++) {
    const change = ((bernoulliDivergence(p, q) - d) * q * (1 - q)) / (p - q);
    if (!(change > 1e-15 * q)) break;
    q += change;
  }
  return q;
}
