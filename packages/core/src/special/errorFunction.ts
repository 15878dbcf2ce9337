// The error function is an incomplete gamma function of order 1/2: erf(x) = P(1/2, x^2) for x >= 0 (DLMF 7.11.1, 7.11.2).
import { lowerGammaRatio, upperGammaRatio } from "./incompleteGamma.js";

/** erf(x), relatively accurate near 0. */
export function erf(x: number): number {
  const size = lowerGammaRatio(0.5, x * x);
  return x < 0 ? -size : size;
}

/** 1 - erf(x), relatively accurate for large x, where the rounding of x^2 costs x^2 units in the last place. */
export function erfc(x: number): number {
  return x < 0 ? 1 + lowerGammaRatio(0.5, x * x) : upperGammaRatio(0.5, x * x);
}
