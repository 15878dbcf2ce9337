// The incomplete gamma functions (DLMF chapter 8). Below x = a + 1 the series 8.7.1 for the lower one converges fast; above it the continued fraction
// 8.9.2 (in its even part) for the upper one does. The other function is the total minus the one computed.
import { exp } from "../elementary/exp.js";
import { expm1 } from "../elementary/expm1.js";
import { log } from "../elementary/log.js";
import { continuedFraction } from "./continuedFraction.js";
import { logGamma, logGammaOnePlus } from "./logGamma.js";

/** P(a, x) = gamma(a, x) / Gamma(a), for a > 0 and x >= 0. */
export function lowerGammaRatio(a: number, x: number): number {
  if (x <= 0) return 0;
  if (x === Infinity) return 1;
  return x < a + 1 ? seriesRatio(a, x) : 1 - fractionRatio(a, x);
}

/** Q(a, x) = Gamma(a, x) / Gamma(a), for a > 0 and x >= 0. */
export function upperGammaRatio(a: number, x: number): number {
  if (x <= 0) return 1;
  if (x === Infinity) return 0;
  return x < a + 1 ? 1 - seriesRatio(a, x) : fractionRatio(a, x);
}

/**
 * Gamma(a, x) for a <= 1, also negative, and x >= 0. Below x = 1.5, with a in [-1/2, 1]:
 * Gamma(a, x) = (Gamma(1 + a) - 1)/a - (x^a - 1)/a - x^a sum over n >= 1 of (-x)^n / (n! (a + n)), which does not cancel as a nears 0
 * (DLMF 8.7.3 with 1/a taken out of both terms). Smaller a are reached by the recurrence 8.8.2 downwards.
 */
export function upperGamma(a: number, x: number): number {
  if (x === Infinity) return 0;
  if (x <= 0) return a > 0 ? exp(logGamma(a)) : Infinity;
  if (x >= 1.5) return exp(a * log(x) - x) * fraction(a, x);
  const logX = log(x);
  const steps = Math.max(0, Math.ceil(-0.5 - a));
  let value = besideZero(a + steps, x, logX);
  for (let order = a + steps - 1; order > a - 0.5; order--) value = (value - exp(order * logX - x)) / order;
  return value;
}

function besideZero(a: number, x: number, logX: number): number {
  const complete = a === 0 ? -EULER : expm1(a < 0.5 ? logGammaOnePlus(a) : logGamma(1 + a)) / a;
  const power = a === 0 ? logX : expm1(a * logX) / a;
  let term = 1;
  let sum = 0;
  for (let n = 1; n <= 60 && Math.abs(term) > 1e-18; n++) {
    term *= -x / n;
    sum += term / (a + n);
  }
  return complete - power - exp(a * logX) * sum;
}

const EULER = 0.5772156649015329;

function seriesRatio(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; term > 1e-17 * sum; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return exp(a * log(x) - x - logGamma(a + 1)) * sum;
}

function fractionRatio(a: number, x: number): number {
  return exp(a * log(x) - x - logGamma(a)) * fraction(a, x);
}

/** Gamma(a, x) e^x x^-a. */
function fraction(a: number, x: number): number {
  return (
    1 /
    continuedFraction(
      (n) => n * (a - n),
      (n) => x + 2 * n + 1 - a,
    )
  );
}
