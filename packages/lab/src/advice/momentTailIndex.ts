import type { Estimate } from "../statistics/interval.js";
import { Z95 } from "./confidence.js";
import type { Excesses } from "./excesses.js";

/**
 * The moment estimator of Dekkers, Einmahl and de Haan ("A moment estimator for the index of an extreme-value distribution", Annals of Statistics 17,
 * 1989): gamma = M1 + 1 - 1 / (2 (1 - M1^2 / M2)), with their asymptotic variance. Unlike Hill's, it also recognises tails that are not powers: gamma
 * <= 0 means an index of Infinity. Null if the largest values are too similar to tell. Pooled arms with light tails and different relative spread
 * look a little heavier than they are.
 */
export function momentTailIndex({ k, first, second }: Excesses): Estimate | null {
  const ratio = (first * first) / (k * second);
  if (!(ratio < 1)) return null;
  const gamma = first / k + 1 - 0.5 / (1 - ratio);
  const half = Z95 * Math.sqrt(variance(gamma) / k);
  return { estimate: inverse(gamma), low: inverse(gamma + half), high: inverse(gamma - half) };
}

/** The variance of sqrt(k) times the error of the estimate; their expression for gamma < 0, simplified. */
function variance(gamma: number): number {
  if (gamma >= 0) return 1 + gamma * gamma;
  return ((1 - gamma) * (1 - gamma) * (1 - 2 * gamma) * (1 - gamma + 6 * gamma * gamma)) / ((1 - 3 * gamma) * (1 - 4 * gamma));
}

function inverse(gamma: number): number {
  return gamma > 0 ? 1 / gamma : Infinity;
}
