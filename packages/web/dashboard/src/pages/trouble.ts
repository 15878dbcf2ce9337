import type { BanditSummary } from "@tsallis/service/client";
import type { Level } from "../../../common/mark.js";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export interface Trouble {
  readonly level: Level;
  readonly word: string;
  /** The lower, the sooner somebody should look. */
  readonly rank: number;
}

/** How a bandit is, in a word. Only one that gets feedback is good. `now` is in milliseconds since 1970. */
export function troubleOf({ state, alarms, counters, lastEvent }: BanditSummary, now: number): Trouble {
  if (state === "shut") return { level: "bad", word: "shut", rank: 0 };
  if (state === "archived") return { level: "off", word: "archived", rank: 9 };
  if (state === "paused") return { level: "warn", word: "paused", rank: 5 };
  if (counters.answered === 0 && counters.expired > 0) return { level: "bad", word: "no feedback", rank: 1 };
  if (alarms.length > 0) return { level: "warn", word: "running, with alarms", rank: 2 };
  if (counters.decisions === 0 || lastEvent === null) return { level: "off", word: "new", rank: 7 };
  if (now - Date.parse(lastEvent) > HOUR_MS) return { level: "warn", word: "silent", rank: 3 };
  if (counters.answered === 0) return { level: "off", word: "no feedback yet", rank: 4 };
  return { level: "good", word: "running", rank: 6 };
}

/** By trouble, then the one that was heard of last; to the minute, since rows that change places with every answer could not be pointed at. */
export function byTrouble(bandits: readonly BanditSummary[], now: number): BanditSummary[] {
  const minute = ({ lastEvent }: BanditSummary) => (lastEvent === null ? -1 : Math.floor(Date.parse(lastEvent) / MINUTE_MS));
  return [...bandits].sort((a, b) => troubleOf(a, now).rank - troubleOf(b, now).rank || minute(b) - minute(a) || (a.name < b.name ? -1 : 1));
}
