import { standardNormal } from "../distributions/standardNormal.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import { ARMS } from "./base/arms.js";
import { MeanPolicy } from "./base/meanPolicy.js";

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
 * N(mean_i, sigma^2 / n_i). From memory, not checked in print. Deviation from the version that Agrawal and Goyal (AISTATS 2013) analyse for losses in [0, 1]:
 * theirs draws from N(sum_i / (n_i + 1), 1 / (n_i + 1)), a prior at 0 that is not equivariant to shifts of the losses.
 *
 * @example
 * ```ts
 * import { stream, ThompsonSampling } from "tsallis";
 *
 * const policy = new ThompsonSampling({ arms: 3, sigma: 0.5 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 972, 21, 7 ]
 * ```
 */
export class ThompsonSampling extends MeanPolicy {
  readonly #sigma: number;

  constructor(options: ThompsonSamplingOptions) {
    const { arms, sigma } = completeOptions({ arms: ARMS, ...THOMPSON_PARAMETERS }, options);
    super({ policy: "thompson", sigma }, arms, { perturbed: true });
    this.#sigma = sigma;
  }

  protected override indices(_round: number, into: Float64Array, rng: Rng): void {
    for (let i = 0; i < into.length; i++) into[i] = this.means[i]! + (this.#sigma * standardNormal(rng)) / Math.sqrt(this.samples[i]!);
  }
}
