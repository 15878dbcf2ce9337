import type { Rng } from "tsallis";

/** The index of the smallest of some numbers. Ties are broken at random, each with the same probability. */
export function smallest(values: Float64Array, rng: Rng): number {
  let best = 0;
  let ties = 1;
  for (let i = 1; i < values.length; i++) {
    if (values[i]! < values[best]!) {
      best = i;
      ties = 1;
    } else if (values[i] === values[best]) {
      ties++;
      if (rng.uniform() * ties < 1) best = i;
    }
  }
  return best;
}
