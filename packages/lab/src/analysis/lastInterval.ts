import type { Rounds } from "../theory/uniformRegret.js";

/** Between the last two checkpoints; null where that begins before half of the horizon, and so would tell of learning more than of what was learnt. */
export function lastInterval(rounds: readonly number[]): Rounds | null {
  const [from, to] = [rounds.at(-2) ?? 0, rounds.at(-1) ?? 0];
  return from > 0 && from >= to / 2 ? { from, to } : null;
}
