/** How fast a race plays. */
export interface Pace {
  /** Rounds per second; Infinity: as many as possible. */
  readonly speed: number;
  /** Rounds up to this one are played as fast as possible. */
  readonly from: number;
  /** Around these rounds it plays slowly, so that they can be seen. */
  readonly slow: readonly number[];
}

const [BEFORE, AFTER] = [6, 18];
const FACTOR = 12;

/** The round to which a race that has reached `position` should have come after so many seconds. Both may lie between two rounds. */
export function paced({ speed, from, slow }: Pace, position: number, seconds: number): number {
  if (speed === Number.POSITIVE_INFINITY) return speed;
  if (position < from) return from;
  const begins = slow.map((round) => round - BEFORE);
  const inside = begins.find((begin) => position >= begin && position < begin + BEFORE + AFTER);
  if (inside !== undefined) return position + (seconds * speed) / FACTOR;
  // Never past the beginning of a slow part.
  const next = begins.filter((begin) => begin > position);
  return Math.min(position + seconds * speed, ...next);
}
