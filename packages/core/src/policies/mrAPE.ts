import { PRobustMean } from "../estimators/pRobustMean.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import { EstimatorPolicy } from "./base/estimatorPolicy.js";
import { ALPHA, ARMS, gridRatio, HORIZON, VARIANT_PARAMETERS } from "./base/sharedParameters.js";
import { logPlus } from "./mrUCB.js";

export const MR_APE_PARAMETERS = {
  alpha: ALPHA,
  horizon: HORIZON,
  c: {
    type: "number",
    atLeast: 1e-290,
    atMost: 1e290,
    default: 1,
    description: "scale of the estimator and of the bonus, in the unit of the losses",
  },
  ...VARIANT_PARAMETERS,
} as const satisfies Parameters;

/** The options of MRAPE: the arms, and the parameters of its spec. */
export interface MRAPEOptions {
  arms: number;
  alpha: number;
  horizon: number;
  c?: number;
  variant?: "published";
}

/**
 * MR-APE of Lee and Lim (IEEE Trans. Neural Netw. Learn. Syst., 2022), for losses, checked against their program (opt_perturbation, `algorithms.py`). It plays the smallest
 * estimate - 2 c U ln_+(T / (K n)) / n^(1-1/alpha) with the p-robust estimate of scale c and U uniform on [0, 1], drawn afresh for every arm in every round.
 * Deviation, but for the variant "published": n is frozen on a geometric grid.
 */
export class MRAPE extends EstimatorPolicy<PRobustMean> {
  /** T / K. */
  readonly #share: number;

  constructor(options: MRAPEOptions) {
    const { arms, ...parameters } = completeOptions({ arms: ARMS, ...MR_APE_PARAMETERS }, options);
    const { alpha, horizon, c } = parameters;
    super({ policy: "mr-ape", ...parameters }, arms, () => new PRobustMean(alpha, c, gridRatio(parameters)), true);
    this.#share = horizon / arms;
  }

  protected override indices(_round: number, into: Float64Array, rng: Rng): void {
    for (let i = 0; i < into.length; i++) {
      const { estimate, unit, samples } = this.estimators[i]!;
      into[i] = estimate - 2 * rng.uniform() * logPlus(this.#share / samples.used) * unit;
    }
  }
}
