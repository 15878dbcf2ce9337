/** The last decade and a half: 10^1.5. Early rounds are exploration, whatever the policy; a whole number of decades less would leave few points. */
const SPAN = 31.622776601683793;

/** A slope through fewer points says little. */
const FEWEST = 5;

/**
 * Where the tail of the checkpoints begins: at the first one within a decade and a half of the last, or further left if that leaves fewer than
 * five. Null if there are not even five.
 */
export function tailStart(rounds: readonly number[]): number | null {
  if (rounds.length < FEWEST) return null;
  const first = rounds.findIndex((round) => round * SPAN >= rounds[rounds.length - 1]!);
  return Math.min(first, rounds.length - FEWEST);
}
