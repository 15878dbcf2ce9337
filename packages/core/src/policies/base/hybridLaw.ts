import { log } from "../../elementary/log.js";

/** More steps than any start needs. After them the solution is normalised as it is. */
const MOST_STEPS = 100;
const TOLERANCE = 1e-15;

/**
 * Fills in x = argmin over the simplex of <x, L> - 2 s sum sqrt(x_i) + e sum x_i log(x_i), the hybrid regulariser of Zimmert and Seldin (AISTATS 2020).
 *
 * With u_i = x_i^(-1/2) and rho = 2 e / s, optimality reads u_i + rho log(u_i) = z + (L_i - min L) / s for one z, which lies between 1 (the best
 * arm has everything) and the z of the uniform law. S(z) = sum u_i^-2 falls from at least 1 to at most 1 in between. The search is Newton's on S^(-1/2),
 * which is nearly a straight line as in the kernels, inside that bracket. All starts are cold, so the law depends on its arguments alone.
 */
export function hybridLaw(losses: Float64Array, s: number, e: number, into: Float64Array): void {
  const arms = losses.length;
  const rho = (2 * e) / s;
  let smallest = losses[0]!;
  for (let i = 1; i < arms; i++) if (losses[i]! < smallest) smallest = losses[i]!;
  let low = 1;
  let high = Math.sqrt(arms) + 0.5 * rho * log(arms);
  let z = low;
  let total = 1;
  for (let step = 1; step <= MOST_STEPS; step++) {
    total = 0;
    let slope = 0;
    for (let i = 0; i < arms; i++) {
      const y = z + (losses[i]! - smallest) / s;
      const u = inverse(y, rho, step === 1 ? 1 : into[i]!);
      into[i] = u;
      total += 1 / (u * u);
      slope += 1 / (u * u * (u + rho));
    }
    if (total > 1) low = z;
    else high = z;
    const following = z + (total * (Math.sqrt(total) - 1)) / slope;
    // A step onto an end of the bracket is allowed, because the uniform law is the upper end itself.
    const next = following >= low && following <= high ? following : 0.5 * (low + high);
    if (Math.abs(total - 1) <= TOLERANCE || Math.abs(next - z) <= TOLERANCE * z) break;
    z = next;
  }
  for (let i = 0; i < arms; i++) into[i] = 1 / (into[i]! * into[i]!) / total;
}

/** Fills in the estimates, counted from the smallest, whose law is x: the equation above, read from right to left. What has underflowed counts as the smallest double. */
export function estimatesForHybrid(law: Float64Array, s: number, e: number, into: Float64Array): void {
  for (let i = 0; i < law.length; i++) {
    const u = 1 / Math.sqrt(Math.max(law[i]!, Number.MIN_VALUE));
    into[i] = s * u + 2 * e * log(u);
  }
  const least = into.reduce((a, b) => Math.min(a, b));
  for (let i = 0; i < into.length; i++) into[i]! -= least;
}

/** The u >= 1 with u + rho log(u) = y. Newton's steps rise to it from the left; from the right they land on its left or below 1. */
function inverse(y: number, rho: number, start: number): number {
  if (rho === 0) return y;
  let u = start;
  for (let step = 1; step <= MOST_STEPS; step++) {
    const next = Math.max(1, (u / (u + rho)) * (rho * (1 - log(u)) + y));
    const settled = Math.abs(next - u) <= TOLERANCE * u;
    u = next;
    if (settled) break;
  }
  return u;
}
