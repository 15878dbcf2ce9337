import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import { PRobustMean } from "../estimators/pRobustMean.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import { EstimatorPolicy } from "./base/estimatorPolicy.js";
import { ALPHA, ARMS, gridRatio, VARIANT_PARAMETERS } from "./base/sharedParameters.js";

export const APE2_PARAMETERS = {
  alpha: ALPHA,
  perturbation: {
    type: "name",
    names: ["weibull", "gamma", "gev", "pareto", "frechet"],
    default: "weibull",
    description: "distribution of the perturbation",
  },
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

/** The distribution of a perturbation, for a moment order and a number of arms. */
type Perturbation = (alpha: number, arms: number) => (rng: Rng) => number;

const exponential: Perturbation = () => (rng) => -log(rng.open());

/** Shape and scale of Pareto and Frechet. */
function heavyTail(alpha: number, arms: number): { shape: number; scale: number } {
  const shape = (alpha * alpha) / (alpha - 1);
  const logarithm = log(arms);
  return shape > logarithm ? { shape, scale: 1 } : { shape: logarithm, scale: logarithm };
}

/**
 * The five perturbations of APE2, with the parameters that the program of Lee et al. (NeurIPS 2020) gives as the best for each family. Weibull with shape 1 and gamma with
 * shape 1 are the same distribution, the exponential one; the generalised extreme value distribution with shape 0 is Gumbel's.
 */
export const PERTURBATIONS = {
  weibull: exponential,
  gamma: exponential,
  gev: () => (rng) => -log(-log(rng.open())),
  pareto: (alpha, arms) => {
    const { shape, scale } = heavyTail(alpha, arms);
    return (rng) => scale * pow(rng.open(), -1 / shape);
  },
  frechet: (alpha, arms) => {
    const { shape, scale } = heavyTail(alpha, arms);
    return (rng) => scale * pow(-log(rng.open()), -1 / shape);
  },
} as const satisfies Record<string, Perturbation>;

/**
 * APE2 of Lee, Yang, Lim and Oh (NeurIPS 2020), for losses, checked against their program (opt_perturbation, `algorithms.py`). It plays the smallest estimate - c G / n^(1-1/alpha)
 * with the p-robust estimate and a perturbation G drawn afresh for every arm in every round. Deviation, but for the variant "published": n is
 * frozen on a geometric grid, in the estimator and in the factor of G.
 */
export class APE2 extends EstimatorPolicy<PRobustMean> {
  readonly #perturbation: (rng: Rng) => number;

  constructor(options: APE2Options) {
    const { arms, ...parameters } = completeOptions({ arms: ARMS, ...APE2_PARAMETERS }, options);
    const { alpha, perturbation, c } = parameters;
    super({ policy: "ape2", ...parameters }, arms, () => new PRobustMean(alpha, c, gridRatio(parameters)), true);
    this.#perturbation = PERTURBATIONS[perturbation](alpha, arms);
  }

  protected override indices(_round: number, into: Float64Array, rng: Rng): void {
    for (let i = 0; i < into.length; i++) {
      const { estimate, unit } = this.estimators[i]!;
      into[i] = estimate - unit * this.#perturbation(rng);
    }
  }
}
