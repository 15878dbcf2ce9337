import type { BanditView, History } from "@tsallis/service/client";
import type { Level } from "../../../common/mark.js";

const MINUTE_S = 60;
const QUIET_S = 5 * 60;
const SILENT_S = 60 * 60;
/** As the alarm FEEDBACK_MISSING has it. */
const MISSING = 0.2;

export interface LifeSign {
  readonly level: Level;
  readonly word: string;
  readonly sentence: string;
}

/** Whether a bandit is alive, in a word and a sentence. `now` is in milliseconds since 1970. */
export function lifeSign(state: BanditView["state"], alive: History["alive"], now: number): LifeSign {
  const { lastEvent, answered, expired } = alive;
  if (state === "archived") return { level: "off", word: "Archived", sentence: "It makes no decisions and learns nothing, for good." };
  if (state === "paused") return { level: "warn", word: "Paused", sentence: "It makes no decisions. Feedback still counts." };
  if (lastEvent === null) return { level: "off", word: "New", sentence: "Nobody has asked it for a decision yet." };
  const age = (now - Date.parse(lastEvent)) / 1000;
  if (age > SILENT_S) return { level: "bad", word: "Silent", sentence: "Nothing has happened for more than an hour." };
  if (answered === 0 && expired !== null && expired > 0)
    return { level: "bad", word: "No feedback", sentence: "Every window has ended without feedback." };
  if (age > QUIET_S) return { level: "warn", word: "Quiet", sentence: "Nothing has happened for more than five minutes." };
  if (expired !== null && expired > MISSING) return { level: "warn", word: "Feedback is missing", sentence: "Many windows end without feedback." };
  return { level: "good", word: "Alive", sentence: lately(alive, age) };
}

/** What came in the last minute, to which the figures beside it belong. */
function lately({ decisionsPerSecond, feedbackPerSecond, answered }: History["alive"], age: number): string {
  if (decisionsPerSecond > 0 && feedbackPerSecond > 0) return "Decisions are made, and feedback arrives.";
  if (decisionsPerSecond > 0)
    return answered === null ? "Decisions are made. No feedback has come yet." : "Decisions are made. No feedback came in the last minute.";
  if (feedbackPerSecond > 0) return "Feedback arrives. No decision was made in the last minute.";
  return age < MINUTE_S ? "Neither a decision nor feedback came in the last minute." : "Nothing happened in the last minute.";
}
