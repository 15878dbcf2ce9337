import { normalTail } from "./normalTail.js";

/**
 * P(X > x) of chi-square with a whole number of degrees of freedom: with h = x / 2, two degrees more add h^(k/2) e^-h / Gamma(k/2 + 1) (DLMF 8.8.6),
 * beginning with the normal law for one degree and the exponential one for two. All terms are positive, so that nothing cancels; they are carried as
 * logarithms, since with thousands of degrees the first ones are too small for a double.
 */
export function chiSquareTail(x: number, degrees: number): number {
  if (!(x > 0)) return 1;
  const half = x / 2;
  const odd = degrees % 2 === 1;
  let sum = odd ? 2 * normalTail(Math.sqrt(x)) : Math.exp(-half);
  // For k = 1 the term is sqrt(h) e^-h / Gamma(3/2), for k = 2 it is h e^-h.
  let logTerm = odd ? Math.log(half) / 2 - half - Math.log(Math.sqrt(Math.PI) / 2) : Math.log(half) - half;
  for (let k = odd ? 1 : 2; k < degrees; k += 2) {
    sum += Math.exp(logTerm);
    logTerm += Math.log(half / (k / 2 + 1));
  }
  return Math.min(1, sum);
}
