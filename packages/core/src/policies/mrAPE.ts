import { PRobustMean } from "../estimators/pRobustMean.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import { ARMS } from "./base/arms.js";
import { EstimatorPolicy } from "./base/estimatorPolicy.js";
import { logPlus } from "./base/logPlus.js";
import { gridRatio, VARIANT_PARAMETERS } from "./base/variant.js";

export const MR_APE_PARAMETERS = {
  alpha: { type: "number", above: 1, atMost: 2, description: "order of the moment that is bounded" },
  horizon: { type: "integer", atLeast: 1, description: "number of rounds that will be played" },
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
 * MR-APE of Lee and Lim (IEEE Trans. Neural Netw. Learn. Syst., 2022), for losses, after their published program (the paper was not at hand). It plays the smallest
 * estimate - 2 c U ln_+(T / (K n)) / n^(1-1/alpha) with the p-robust estimate of scale c and U uniform on [0, 1], drawn anew for every arm in every round.
 * Deviation, but for the variant "published": n is frozen on a geometric grid.
 *
 * @example
 * ```ts
 * import { MRAPE, stream } from "tsallis";
 *
 * const policy = new MRAPE({ arms: 3, alpha: 1.5, horizon: 1000 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 772, 145, 83 ]
 * ```
 */
export class MRAPE extends EstimatorPolicy<PRobustMean> {
  /** T / K. */
  readonly #share: number;

  constructor(options: MRAPEOptions) {
    const { arms, ...parameters } = completeOptions({ arms: ARMS, ...MR_APE_PARAMETERS }, options);
    const { alpha, horizon, c } = parameters;
    super({ policy: "mr-ape", ...parameters }, arms, () => new PRobustMean(alpha, c, gridRatio(parameters)), { perturbed: true, horizon });
    this.#share = horizon / arms;
  }

  protected override indices(_round: number, into: Float64Array, rng: Rng): void {
    for (let i = 0; i < into.length; i++) {
      const { estimate, unit, samples } = this.estimators[i]!;
      into[i] = estimate - 2 * rng.uniform() * logPlus(this.#share / samples.used) * unit;
    }
  }
}
