/** A number per seed, such as the final pseudo-regret of a cell's runs. */
export type BySeed = ReadonlyMap<number, number>;

/** The seeds that all samples have, in ascending order. */
export function matchedSeeds(samples: readonly BySeed[]): number[] {
  const [first, ...others] = samples;
  return first === undefined ? [] : [...first.keys()].filter((seed) => others.every((other) => other.has(seed))).sort((a, b) => a - b);
}
