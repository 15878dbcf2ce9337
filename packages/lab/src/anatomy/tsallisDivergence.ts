import { elementary } from "tsallis";

/** Below this size of u (q + 10) the series is used, because the closed form would cancel. */
const SMALL = 0.02;

/**
 * phi(u) with D_Psi(x, z) = sum_i x_i^(1/alpha) phi(u_i), for the paper's Psi(x) = -alpha sum_i x_i^(1/alpha) and z_i^(-1/q) = x_i^(-1/q) (1 + u_i), q = alpha / (alpha - 1).
 * From D_i = -alpha x^(1/alpha) + (alpha - 1) z^(1/alpha) + z^(-1/q) x and z^(1/alpha) = x^(1/alpha) (1 + u)^(1-q):
 * phi(u) = u + (alpha - 1) ((1 + u)^(1-q) - 1), about q u^2 / 2. At alpha = 2 it is u^2 / (1 + u).
 */
export function tsallisDivergence(u: number, alpha: number): number {
  if (alpha === 2) return (u / (1 + u)) * u;
  const q = alpha / (alpha - 1);
  if (!(Math.abs(u) * (q + 10) < SMALL)) return u + (alpha - 1) * elementary.expm1((1 - q) * elementary.log1p(u));
  // The binomial series of (1 + u)^(1-q), from its second power onwards.
  let term = 0.5 * q * u * u;
  let sum = term;
  for (let n = 2; n < 12; n++) {
    term *= (-(q + n - 1) / (n + 1)) * u;
    sum += term;
  }
  return sum;
}
