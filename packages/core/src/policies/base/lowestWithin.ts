import { exp } from "../../elementary/exp.js";
import { log } from "../../elementary/log.js";
import { log1p } from "../../elementary/log1p.js";

/** The divergence kl(p, q) of Bernoulli laws, for 0 < q <= p < 1. It is computed from p - q when both are close, so that it keeps its digits. */
function bernoulliDivergence(p: number, q: number): number {
  const step = p - q;
  return -p * (2 * q < p ? log(q / p) : log1p(-step / p)) - (1 - p) * log1p(step / (1 - p));
}

/** More steps than any start needs; the most seen is 14. */
const MOST_STEPS = 60;

/**
 * The smallest q in [0, p] with kl(p, q) <= d, for p in [0, 1] and d >= 0.
 * As a function of q the divergence is convex and falls to 0 at p, so Newton's steps from the left of the root never pass it. Two starts are known
 * to lie there: p - sqrt(d / 2), since kl >= 2 (p - q)^2, and p exp(-1 - d / p), since kl >= p ln(p / q) - p. The larger one is used.
 */
export function lowestWithin(p: number, d: number): number {
  if (p === 0 || d === 0) return p;
  if (p === 1) return exp(-d);
  let q = Math.max(p - Math.sqrt(d / 2), p * exp(-1 - d / p));
  // The start has underflowed; the root is less than e times the start.
  if (q === 0) return 0;
  for (let step = 1; step <= MOST_STEPS; step++) {
    const change = ((bernoulliDivergence(p, q) - d) * q * (1 - q)) / (p - q);
    if (!(change > 1e-15 * q)) break;
    q += change;
  }
  return q;
}
