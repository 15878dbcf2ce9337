import { log } from "../elementary/log.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { MeanPolicy } from "./base/meanPolicy.js";
import { ARMS, HORIZON } from "./base/sharedParameters.js";

export const MOSS_PARAMETERS = {
  horizon: HORIZON,
} as const satisfies Parameters;

/** The options of MOSS: the arms, and the parameters of its spec. */
export interface MOSSOptions {
  arms: number;
  horizon: number;
}

/**
 * MOSS of Audibert and Bubeck (COLT 2009), for losses: mean - sqrt(max(0, ln(T / (K n_i))) / n_i) with T the horizon (not the round, as in some
 * public implementations). Checked against SMPyBandits, `MOSSH.py`. Its proof needs losses in [0, 1]. Deviation: none.
 */
export class MOSS extends MeanPolicy {
  /** T / K. */
  readonly #share: number;

  constructor(options: MOSSOptions) {
    const { arms, horizon } = completeOptions({ arms: ARMS, ...MOSS_PARAMETERS }, options);
    super({ policy: "moss", horizon }, arms);
    this.#share = horizon / arms;
  }

  protected override indices(_round: number, into: Float64Array): void {
    for (let i = 0; i < into.length; i++) {
      const count = this.samples[i]!;
      into[i] = this.means[i]! - (count < this.#share ? Math.sqrt(log(this.#share / count) / count) : 0);
    }
  }
}
