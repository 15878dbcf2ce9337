import { log } from "../elementary/log.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ARMS } from "./base/arms.js";
import { lowestWithin } from "./base/lowestWithin.js";
import { MeanPolicy } from "./base/meanPolicy.js";

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
 * divergence of Bernoulli laws. Its authors recommend c = 0 in practice and prove c = 3. It needs losses in [0, 1].
 * Deviation: a mean outside [0, 1] is clipped to it, so that the policy runs on any losses, without a guarantee.
 *
 * @example
 * ```ts
 * import { KLUCB, stream } from "tsallis";
 *
 * const policy = new KLUCB({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 971, 22, 7 ]
 * ```
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
