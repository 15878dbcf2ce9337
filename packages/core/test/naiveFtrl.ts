import { sum } from "./policies.js";

/** The minimiser x_i = (z + d_i)^-q, d_i = (L_i - min L) / h, by bisection in plain doubles: slow, simple, and another way to the same numbers. */
export function naiveMinimiser(losses: readonly number[], inverseRate: number, q: number): number[] {
  const smallest = Math.min(...losses);
  const at = (z: number) => losses.map((loss) => (z + (loss - smallest) / inverseRate) ** -q);
  let [low, high] = [1, losses.length ** (1 / q) * (1 + 1e-12)];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (sum(at(middle)) > 1) low = middle;
    else high = middle;
  }
  const weights = at(low);
  return weights.map((weight) => weight / sum(weights));
}

/** The largest relative error; one number, since an assertion for each probability of each round takes its time. */
export function worstError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const error = Math.abs(actual[i]! / expected[i]! - 1);
    if (!(error <= worst)) worst = error;
    if (Number.isNaN(error)) break;
  }
  return worst;
}
