/** The last decade and a half: 10^1.5. Earlier rounds are exploration, whatever the policy; a single decade would leave few points. */
const SPAN = 31.622776601683793;

/** A slope through fewer points says little. */
const FEWEST = 5;

/**
 * Where the tail of the checkpoints begins: at the first checkpoint within a decade and a half of the last, or earlier if that leaves fewer than
 * five. Null if there are fewer than five in all.
 */
export function tailStart(rounds: readonly number[]): number | null {
  if (rounds.length < FEWEST) return null;
  const first = rounds.findIndex((round) => round * SPAN >= rounds[rounds.length - 1]!);
  return Math.min(first, rounds.length - FEWEST);
}
