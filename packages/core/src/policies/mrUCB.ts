import { log } from "../elementary/log.js";
import { PRobustMean } from "../estimators/pRobustMean.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { EstimatorPolicy } from "./base/estimatorPolicy.js";
import { ALPHA, ARMS, gridRatio, HORIZON, VARIANT_PARAMETERS } from "./base/sharedParameters.js";

export const MR_UCB_PARAMETERS = {
  alpha: ALPHA,
  horizon: HORIZON,
  c: { type: "number", atLeast: 1e-290, atMost: 1e290, default: 1, description: "scale of the bonus, in the unit of the losses" },
  c0: { type: "number", atLeast: 1e-290, atMost: 1e290, default: 0.1, description: "scale of the estimator, in the unit of the losses" },
  ...VARIANT_PARAMETERS,
} as const satisfies Parameters;

/** The options of MRUCB: the arms, and the parameters of its spec. */
export interface MRUCBOptions {
  arms: number;
  alpha: number;
  horizon: number;
  c?: number;
  c0?: number;
  variant?: "published";
}

/**
 * MR-UCB of Lee and Lim (IEEE Trans. Neural Netw. Learn. Syst., 2022), for losses, checked against their program (opt_perturbation, `algorithms.py`). It plays the smallest
 * estimate - c ln_+(T / (K n)) / n^(1-1/alpha) with the p-robust estimate of scale c0, which the program sets to 0.1. Deviation, but for
 * the variant "published": n is frozen on a geometric grid.
 */
export class MRUCB extends EstimatorPolicy<PRobustMean> {
  /** T / K. */
  readonly #share: number;
  readonly #c: number;

  constructor(options: MRUCBOptions) {
    const { arms, ...parameters } = completeOptions({ arms: ARMS, ...MR_UCB_PARAMETERS }, options);
    const { alpha, horizon, c, c0 } = parameters;
    super({ policy: "mr-ucb", ...parameters }, arms, () => new PRobustMean(alpha, c0, gridRatio(parameters)));
    this.#share = horizon / arms;
    this.#c = c;
  }

  protected override indices(_round: number, into: Float64Array): void {
    for (let i = 0; i < into.length; i++) {
      const { estimate, unit, c, samples } = this.estimators[i]!;
      into[i] = estimate - this.#c * logPlus(this.#share / samples.used) * (unit / c);
    }
  }
}

/** ln max(x, 1). */
export function logPlus(x: number): number {
  return x > 1 ? log(x) : 0;
}
