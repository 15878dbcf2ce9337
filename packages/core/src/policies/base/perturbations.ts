import { log } from "../../elementary/log.js";
import { pow } from "../../elementary/pow.js";
import type { Rng } from "../../random/rng.js";

/** The law of a perturbation, for a moment order and a number of arms. */
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
 * shape 1 are the same law, the exponential one; the generalised extreme value law with shape 0 is Gumbel's.
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
