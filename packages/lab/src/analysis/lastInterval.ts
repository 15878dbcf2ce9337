import type { Rounds } from "../theory/uniformRegret.js";

/**
 * The rounds between the last two checkpoints; null if they begin before half of the horizon, because they would then show the learning rather than
 * its result.
 */
export function lastInterval(rounds: readonly number[]): Rounds | null {
  const [from, to] = [rounds.at(-2) ?? 0, rounds.at(-1) ?? 0];
  return from > 0 && from >= to / 2 ? { from, to } : null;
}
