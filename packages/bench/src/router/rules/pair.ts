import type { Rng } from "tsallis";

/** Two different ones of n upstreams, all pairs equally likely, in either order. */
export function pair(upstreams: number, rng: Rng): [number, number] {
  const first = Math.floor(rng.uniform() * upstreams);
  const other = Math.floor(rng.uniform() * (upstreams - 1));
  return [first, other < first ? other : other + 1];
}
