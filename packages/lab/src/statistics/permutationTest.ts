// Randomisation tests in the sense of Fisher and Pitman: exact at any number of seeds, which a bootstrap of few of them is not (five differences of
// one sign have a percentile interval without 0, but happen once in sixteen times by chance). p counts the data as one of the arrangements
// (Phipson and Smyth 2010), so it is never 0.

import type { Rng } from "tsallis";

/** Random arrangements that the data are compared with: p reaches down to 1e-4. */
export const ARRANGEMENTS = 9999;

/** Sums in another order differ in their last digits; arrangements that tie but for that count as ties. */
const TIE = 1 - 1e-12;

/** Two-sided p of "differences are symmetric about 0": signs are flipped at random. */
export function signFlipTest(differences: readonly number[], rng: Rng): number {
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0)) * TIE;
  let asFar = 1;
  for (let arrangement = 0; arrangement < ARRANGEMENTS; arrangement++) {
    let sum = 0;
    for (const difference of differences) sum += rng.uniform() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= observed) asFar++;
  }
  return asFar / (ARRANGEMENTS + 1);
}

/** Two-sided p of "both samples come from one law": the pool is dealt out again at random. */
export function labelSwapTest(a: readonly number[], b: readonly number[], rng: Rng): number {
  const pool = Float64Array.from([...a, ...b]);
  const total = pool.reduce((sum, value) => sum + value, 0);
  const distance = (sum: number) => Math.abs(sum / a.length - (total - sum) / b.length);
  const observed = distance(a.reduce((sum, value) => sum + value, 0)) * TIE;
  let asFar = 1;
  for (let arrangement = 0; arrangement < ARRANGEMENTS; arrangement++) {
    let sum = 0;
    for (let i = 0; i < a.length; i++) {
      const j = i + Math.floor(rng.uniform() * (pool.length - i));
      const drawn = pool[j]!;
      pool[j] = pool[i]!;
      pool[i] = drawn;
      sum += drawn;
    }
    if (distance(sum) >= observed) asFar++;
  }
  return asFar / (ARRANGEMENTS + 1);
}
