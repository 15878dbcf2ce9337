import { upperGammaRatio } from "../special/incompleteGamma.js";

/** P(X > x) of chi-square. */
export function chiSquareTail(x: number, degrees: number): number {
  return upperGammaRatio(degrees / 2, x / 2);
}
