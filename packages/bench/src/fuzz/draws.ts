import type { Xoshiro128 } from "tsallis";

/** An integer of [least, most], each equally likely. */
export function integer(rng: Xoshiro128, { least, most }: { least: number; most: number }): number {
  return least + Math.floor(rng.uniform() * (most - least + 1));
}

/** A number of [from, to), uniformly at random. */
export function between(rng: Xoshiro128, { from, to }: { from: number; to: number }): number {
  return from + rng.uniform() * (to - from);
}
