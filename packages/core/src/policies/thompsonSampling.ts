import { standardNormal } from "../distributions/standardDraws.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import { MeanPolicy } from "./base/meanPolicy.js";
import { ARMS } from "./base/sharedParameters.js";

export const THOMPSON_PARAMETERS = {
  sigma: { type: "number", atLeast: 1e-290, atMost: 1e290, description: "assumed standard deviation of the losses' noise" },
} as const satisfies Parameters;

/** The options of ThompsonSampling: the arms, and the parameters of its spec. */
export interface ThompsonSamplingOptions {
  arms: number;
  sigma: number;
}

/**
 * Thompson sampling with normal losses of known deviation and a flat prior: after one loss of each arm, it plays the arm with the smallest draw from
 * N(mean_i, sigma^2 / n_i), the posterior: its density is proportional to the likelihood, exp(-n_i (m - mean_i)^2 / (2 sigma^2)). Deviation from the version that Agrawal and Goyal (AISTATS 2013) analyse for losses in [0, 1]:
 * theirs draws from N(sum_i / (n_i + 1), 1 / (n_i + 1)), a prior at 0 that is not equivariant to shifts of the losses.
 */
export class ThompsonSampling extends MeanPolicy {
  readonly #sigma: number;

  constructor(options: ThompsonSamplingOptions) {
    const { arms, sigma } = completeOptions({ arms: ARMS, ...THOMPSON_PARAMETERS }, options);
    super({ policy: "thompson", sigma }, arms, true);
    this.#sigma = sigma;
  }

  protected override indices(_round: number, into: Float64Array, rng: Rng): void {
    for (let i = 0; i < into.length; i++) into[i] = this.means[i]! + (this.#sigma * standardNormal(rng)) / Math.sqrt(this.samples[i]!);
  }
}
