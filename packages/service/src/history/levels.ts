const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Cells of one width, kept for a while. */
export interface Level {
  readonly part: string;
  readonly width: number;
  readonly kept: number;
}

/** For how long a history is kept. */
export const KEPT_MS = 30 * DAY;

/** How a history is thinned out: every event is counted in one cell of each level, and cells go when they are too old. From fine to coarse. */
export const LEVELS: readonly Level[] = [
  { part: "5s", width: 5 * SECOND, kept: HOUR },
  { part: "1m", width: MINUTE, kept: DAY },
  { part: "1h", width: HOUR, kept: KEPT_MS },
];

/** The finest cells that reach back to a time. */
export function levelFrom(from: number, now: number): Level {
  return LEVELS.find(({ kept, width }) => from >= now - kept - width) ?? LEVELS.at(-1)!;
}
