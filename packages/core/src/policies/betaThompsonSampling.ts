import { standardGamma } from "../distributions/standardDraws.js";
import { completeOptions } from "../parameters.js";
import { Noise } from "../random/noise.js";
import type { Rng } from "../random/rng.js";
import type { Choice } from "./base/choice.js";
import { MeanPolicy } from "./base/meanPolicy.js";
import type { PolicySnapshot } from "./base/policy.js";
import { ARMS } from "./base/sharedParameters.js";
import { requireNumbers } from "./base/snapshotState.js";

export const THOMPSON_BETA_PARAMETERS = {};

/** The options of BetaThompsonSampling: the arms, and the parameters of its spec. */
export interface BetaThompsonSamplingOptions {
  arms: number;
}

/**
 * Thompson sampling with Beta(1, 1) priors, for losses in [0, 1]: it plays the arm with the smallest draw from Beta(1 + ones_i, 1 + zeros_i). A loss between 0 and 1 counts as a one
 * with that probability, as in Agrawal and Goyal (COLT 2012, Algorithm 2), checked against SMPyBandits, `Thompson.py` and `Posterior/Beta.py`.
 * Deviations: arms without feedback come before all others. The number that decides such a trial depends on the round and the arm alone, so that late feedback
 * teaches what it would have taught at once. A loss below 0 counts as 0 and one above 1 as 1, so that the policy runs on any losses, without a guarantee.
 */
export class BetaThompsonSampling extends MeanPolicy {
  readonly #trials = new Noise(0, "thompson-beta");

  constructor(options: BetaThompsonSamplingOptions) {
    const { arms } = completeOptions({ arms: ARMS, ...THOMPSON_BETA_PARAMETERS }, options);
    super({ policy: "thompson-beta" }, arms, true);
  }

  protected override indices(_round: number, into: Float64Array, rng: Rng): void {
    for (let i = 0; i < into.length; i++) {
      const ones = this.means[i]! * this.samples[i]!;
      const x = standardGamma(1 + ones, rng);
      into[i] = x / (x + standardGamma(1 + this.samples[i]! - ones, rng));
    }
  }

  protected override learn(choice: Choice, loss: number): void {
    super.learn(choice, this.#trials.at(choice.round, choice.arm).uniform() < loss ? 1 : 0);
  }

  protected override load(snapshot: PolicySnapshot): void {
    requireNumbers(snapshot.state.means, "state.means", this.arms, 1, 0);
    super.load(snapshot);
  }
}
