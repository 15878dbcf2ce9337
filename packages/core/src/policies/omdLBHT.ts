import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import { show, TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { type Choice, isSkipped } from "./base/choice.js";
import type { PolicySnapshot } from "./base/policy.js";
import { ProbabilityPolicy } from "./base/probabilityPolicy.js";
import { carry, type Rearrangement, rearrangedProbabilities } from "./base/rearrangement.js";
import { ALPHA, ARMS, HORIZON, SIGMA } from "./base/sharedParameters.js";
import { requireNumber, requireNumbers } from "./base/snapshotState.js";

export const OMD_LB_HT_PARAMETERS = {
  alpha: ALPHA,
  sigma: SIGMA,
  horizon: HORIZON,
} as const satisfies Parameters;

/** The options of OMDLBHT: the arms, and the parameters of its spec. */
export interface OMDLBHTOptions {
  arms: number;
  alpha: number;
  sigma: number;
  horizon: number;
}

/** More steps than any start needs. After them the solution is normalised as it is. */
const MOST_STEPS = 200;
/** Normalising can leave a weight below its floor by this factor. */
const ROUNDED = 0.999;

/**
 * OMD-LB-HT, Algorithm 1 of Cheng, Zhou and Ji (NeurIPS 2024): online mirror descent with the log-barrier over the simplex without its rim,
 * x_i >= floor = lambda / K, and rates that rise by a factor kappa whenever an arm has become half as likely. It needs no truncated
 * non-negativity, because its threshold M = sigma (T / K)^(1/alpha) is fixed and the same for all arms.
 *
 *     kappa = e^(1 / log T), lambda = T^(-(alpha-1)/alpha) K^(-1/alpha), eta_0 = 1 / (40 M log T log(8 K T / zeta))
 *     w' = argmin <x, l_hat> + sum_i (x_i / w_i - log(x_i / w_i) - 1) / eta_i,   l_hat_i = 1{i played, |loss| <= M} loss / w_i
 *     if 1 / w'_i > rho_i: rho_i = 2 / w'_i, eta_i = kappa eta_i                  (rho_i = 2 K at first)
 *
 * Taken from a text conversion of the paper. The paper leaves the failure probability zeta to the user; here it is 1 / T, which makes the bound hold
 * in expectation too. Deviation: log max(T, 2) for log T, which is 0 at T = 1.
 * Optimality off the floor: 1 / w'_i = 1 / w_i + eta_i (l_hat_i + nu), with the one nu that makes the sum 1. Everything is kept in units of eta_0, so that
 * multiplying losses and sigma by k changes nothing. The sum is convex and falls in nu: Newton from the left of the root rises to it, and from the right
 * lands on the left of it.
 * Late feedback: l_hat divides by the probability in its Choice, and the step is taken from the present w; nothing is proved for that.
 */
export class OMDLBHT extends ProbabilityPolicy {
  readonly skips = true;
  readonly #threshold: number;
  readonly #growth: number;
  readonly #floor: number;
  /** eta_0 M. */
  readonly #step: number;
  readonly #weights: Float64Array;
  /** rho, and eta / eta_0. */
  readonly #limits: Float64Array;
  readonly #rates: Float64Array;
  readonly #next: Float64Array;
  /** No round so far has had a smaller probability. */
  #least: number;

  constructor(options: OMDLBHTOptions) {
    const { arms, alpha, sigma, horizon } = completeOptions({ arms: ARMS, ...OMD_LB_HT_PARAMETERS }, options);
    super({ policy: "omd-lb-ht", alpha, sigma, horizon }, arms);
    const logarithm = log(Math.max(horizon, 2));
    this.#threshold = sigma * pow(horizon / arms, 1 / alpha);
    this.#growth = exp(1 / logarithm);
    this.#floor = pow(horizon, 1 / alpha - 1) * pow(arms, -1 / alpha - 1);
    this.#step = 1 / (40 * logarithm * log(8 * arms * horizon * horizon));
    this.#weights = new Float64Array(arms).fill(1 / arms);
    this.#limits = new Float64Array(arms).fill(2 * arms);
    this.#rates = new Float64Array(arms).fill(1);
    this.#next = new Float64Array(arms);
    this.#least = ROUNDED * this.#floor;
  }

  protected override probabilitiesIn(): Float64Array {
    return this.#weights;
  }

  protected override threshold(): number {
    return this.#threshold;
  }

  protected override learn(choice: Choice, loss: number): void {
    const probability = choice.probability!;
    // A smaller one would cost the search its digits, and no round of this policy can have had it.
    if (!(probability >= this.#least)) {
      const message = `choice.probability must be at least ${this.#least}, as every probability of this policy is, got ${show(probability)}`;
      throw new TsallisError("ERR_CHOICE", "choice.probability", probability, message);
    }
    if (loss === 0 || isSkipped(choice, loss)) return;
    this.#descend(choice.arm, ((loss / this.#threshold) * this.#step) / probability);
    const weights = this.#weights;
    for (let i = 0; i < this.arms; i++) {
      if (1 / weights[i]! > this.#limits[i]!) {
        this.#limits[i] = 2 / weights[i]!;
        this.#rates[i]! *= this.#growth;
      }
    }
  }

  /** Moves the weights by the estimate of one arm, in units of 1 / eta_0. */
  #descend(arm: number, estimate: number): void {
    const weights = this.#weights;
    const rates = this.#rates;
    const next = this.#next;
    const floor = this.#floor;
    // next_i = 1 / w_i + eta_i l_hat_i, the inverse of the new weight at nu = 0.
    let least = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.arms; i++) {
      const inverse = 1 / weights[i]! + (i === arm ? rates[i]! * estimate : 0);
      next[i] = inverse;
      // At this nu one weight is 1 and no inverse is below 1, so the sum is at least 1.
      least = Math.max(least, (1 - inverse) / rates[i]!);
    }
    let nu = Math.max(least, 0);
    for (let step = 1; step <= MOST_STEPS; step++) {
      let excess = -1;
      let slope = 0;
      for (let i = 0; i < this.arms; i++) {
        const weight = 1 / (next[i]! + rates[i]! * nu);
        if (weight > floor) {
          excess += weight;
          slope += weight * weight * rates[i]!;
        } else excess += floor;
      }
      const following = Math.max(least, nu + excess / slope);
      // From the second step on nu only rises, up to rounding.
      if (following === nu || (step > 1 && following < nu) || Math.abs(excess) < 1e-15) break;
      nu = following;
    }
    let total = 0;
    for (let i = 0; i < this.arms; i++) {
      weights[i] = Math.max(floor, 1 / (next[i]! + rates[i]! * nu));
      total += weights[i]!;
    }
    for (let i = 0; i < this.arms; i++) weights[i]! /= total;
  }

  protected override state(): Record<string, unknown> {
    return {
      weights: Array.from(this.#weights),
      limits: Array.from(this.#limits),
      rates: Array.from(this.#rates),
      ...(this.isRearranged && { least: this.#least }),
    };
  }

  protected override load({ state }: PolicySnapshot): void {
    const { weights, limits, rates } = state;
    const least = this.isRearranged ? state.least : this.#least;
    requireNumbers(weights, "state.weights", this.arms, 1);
    requireNumbers(limits, "state.limits", this.arms, 1e300);
    requireNumbers(rates, "state.rates", this.arms, 1e300);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    if (!(weights.every((weight) => weight >= ROUNDED * this.#floor) && Math.abs(sum - 1) < 1e-9)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.weights", weights, `state.weights must be probabilities above the floor, got ${show(weights)}`);
    }
    if (!limits.every((limit) => limit > 0)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.limits", limits, `state.limits must be above 0, got ${show(limits)}`);
    }
    if (!rates.every((rate) => rate >= 1)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.rates", rates, `state.rates must be at least 1, got ${show(rates)}`);
    }
    requireNumber(least, "state.least", Number.MIN_VALUE, this.#least);
    this.#weights.set(weights);
    this.#limits.set(limits);
    this.#rates.set(rates);
    this.#least = least;
  }

  protected override resume(old: this, from: Rearrangement): void {
    this.#weights.set(raised(rearrangedProbabilities(old.#weights, from), this.#floor));
    this.#limits.set(carry(old.#limits, from, 2 * this.arms));
    this.#rates.set(carry(old.#rates, from, 1));
    this.#least = Math.min(old.#least, this.#least);
  }
}

/** Probabilities of which none is below a floor: those are raised to it, and the others give way in proportion. */
function raised(probabilities: Float64Array, floor: number): Float64Array {
  let factor = 1;
  for (;;) {
    const high = probabilities.filter((x) => factor * x > floor);
    const next = (1 - floor * (probabilities.length - high.length)) / high.reduce((sum, x) => sum + x, 0);
    // The factor falls from step to step, until no more arms sink to the floor.
    if (!(next < factor)) break;
    factor = next;
  }
  return probabilities.map((x) => Math.max(floor, factor * x));
}
