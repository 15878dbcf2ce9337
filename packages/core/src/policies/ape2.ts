import { PRobustMean } from "../estimators/pRobustMean.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import { ARMS } from "./base/arms.js";
import { EstimatorPolicy } from "./base/estimatorPolicy.js";
import { PERTURBATIONS } from "./base/perturbations.js";
import { gridRatio, VARIANT_PARAMETERS } from "./base/variant.js";

export const APE2_PARAMETERS = {
  alpha: { type: "number", above: 1, atMost: 2, description: "order of the moment that is bounded" },
  perturbation: { type: "name", names: ["weibull", "gamma", "gev", "pareto", "frechet"], default: "weibull", description: "law of the perturbation" },
  c: {
    type: "number",
    atLeast: 1e-290,
    atMost: 1e290,
    default: 1,
    description: "scale of the estimator and of the perturbation, in the unit of the losses",
  },
  ...VARIANT_PARAMETERS,
} as const satisfies Parameters;

/** The options of APE2: the arms, and the parameters of its spec. */
export interface APE2Options {
  arms: number;
  alpha: number;
  perturbation?: "weibull" | "gamma" | "gev" | "pareto" | "frechet";
  c?: number;
  variant?: "published";
}

/**
 * APE2 of Lee, Yang, Lim and Oh (NeurIPS 2020), for losses, after their published program (the paper was not at hand). It plays the smallest estimate - c G / n^(1-1/alpha)
 * with the p-robust estimate and a perturbation G drawn anew for every arm in every round. Deviation, but for the variant "published": n is
 * frozen on a geometric grid, in the estimator and beside G.
 *
 * @example
 * ```ts
 * import { APE2, stream } from "tsallis";
 *
 * const policy = new APE2({ arms: 3, alpha: 1.5 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 778, 153, 69 ]
 * ```
 */
export class APE2 extends EstimatorPolicy<PRobustMean> {
  readonly #perturbation: (rng: Rng) => number;

  constructor(options: APE2Options) {
    const { arms, ...parameters } = completeOptions({ arms: ARMS, ...APE2_PARAMETERS }, options);
    const { alpha, perturbation, c } = parameters;
    super({ policy: "ape2", ...parameters }, arms, () => new PRobustMean(alpha, c, gridRatio(parameters)), { perturbed: true });
    this.#perturbation = PERTURBATIONS[perturbation](alpha, arms);
  }

  protected override indices(_round: number, into: Float64Array, rng: Rng): void {
    for (let i = 0; i < into.length; i++) {
      const { estimate, unit } = this.estimators[i]!;
      into[i] = estimate - unit * this.#perturbation(rng);
    }
  }
}
