import type { RaceView } from "../engine/engine.js";

/** Rounds without the best arm that are no accident. */
const IDLE = 25;
/** Rounds without the best arm that say no more that it is on it. */
const FEW = 6;
const RECENT = 150;

/** What a policy with its first seed does now, in a world in which one arm is best. Empty before it has shown anything. */
export function raceStatus({ race, tapes, checkpoints }: RaceView, policy: number): string {
  const best = tapes[policy]!.best;
  const reached = best.findLastIndex((plays) => plays !== null);
  if (reached < 0 || checkpoints[reached]! < IDLE) return "";
  const round = checkpoints[reached]!;
  const idle = round - checkpoints[lastPlay(best, reached)]!;
  // Too early to say whether that is more than an accident.
  if (idle > FEW && idle <= IDLE) return "";
  if (idle > IDLE) return round === race.rounds ? "fooled, never returns" : "fooled";
  const before = Math.max(
    0,
    checkpoints.findLastIndex((earlier) => earlier <= round - RECENT),
  );
  const share = (best[reached]! - best[before]!) / (round - checkpoints[before]!);
  const wasFooled = longestIdle(best, checkpoints, reached) > 2 * IDLE;
  if (share < 0.5) return wasFooled ? "on its way back" : "searching";
  return wasFooled ? "back" : "on the best arm";
}

/** The first checkpoint at which it had played the best arm as often as at this one. */
function lastPlay(best: readonly (number | null)[], at: number): number {
  return best.indexOf(best[at]!);
}

function longestIdle(best: readonly (number | null)[], checkpoints: readonly number[], reached: number): number {
  let longest = 0;
  for (let i = 0; i <= reached; i++) longest = Math.max(longest, checkpoints[i]! - checkpoints[lastPlay(best, i)]!);
  return longest;
}
