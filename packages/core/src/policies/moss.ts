import { log } from "../elementary/log.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ARMS } from "./base/arms.js";
import { MeanPolicy } from "./base/meanPolicy.js";

export const MOSS_PARAMETERS = {
  horizon: { type: "integer", atLeast: 1, description: "number of rounds that will be played" },
} as const satisfies Parameters;

/** The options of MOSS: the arms, and the parameters of its spec. */
export interface MOSSOptions {
  arms: number;
  horizon: number;
}

/**
 * MOSS of Audibert and Bubeck (COLT 2009), for losses: mean - sqrt(max(0, ln(T / (K n_i))) / n_i) with T the horizon (not the round, as in some
 * public implementations). The constants are from memory, not checked in print. Its proof needs losses in [0, 1]. Deviation: none.
 *
 * @example
 * ```ts
 * import { MOSS, stream } from "tsallis";
 *
 * const policy = new MOSS({ arms: 3, horizon: 1000 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 962, 28, 10 ]
 * ```
 */
export class MOSS extends MeanPolicy {
  /** T / K. */
  readonly #share: number;

  constructor(options: MOSSOptions) {
    const { arms, horizon } = completeOptions({ arms: ARMS, ...MOSS_PARAMETERS }, options);
    super({ policy: "moss", horizon }, arms, { horizon });
    this.#share = horizon / arms;
  }

  protected override indices(_round: number, into: Float64Array): void {
    for (let i = 0; i < into.length; i++) {
      const count = this.samples[i]!;
      into[i] = this.means[i]! - (count < this.#share ? Math.sqrt(log(this.#share / count) / count) : 0);
    }
  }
}
