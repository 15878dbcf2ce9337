import type { LogEvent } from "../log/event.js";
import { eventOf } from "../log/storedEvent.js";
import type { BanditStore } from "../store/store.js";
import { openDecision } from "./banditState.js";
import type { OpenDecision } from "./openDecisions.js";

/** Events that are read at once: to read and take them takes a few milliseconds, during which decisions wait. */
const PIECE = 250;

/**
 * Reads the next events of a log, from after `after` to `upTo` at most, and gives `take` each one with the decision that it ended and its hash. `waiting` has the
 * decisions that are open, from call to call. Returns how many events it read.
 */
export async function takeSome(
  store: BanditStore,
  bandit: number,
  after: number,
  upTo: number,
  waiting: Map<string, OpenDecision>,
  take: (event: LogEvent, ended: OpenDecision | undefined, hash: string) => void,
): Promise<number> {
  const rows = await store.events(bandit, after, Math.min(PIECE, upTo - after));
  for (const row of rows) {
    const event = eventOf(row);
    if (event.kind === "decision") waiting.set(event.decision, openDecision(event));
    const ended = event.kind === "feedback" || event.kind === "expiry" ? waiting.get(event.decision) : undefined;
    if (ended !== undefined) waiting.delete(ended.id);
    take(event, ended, row.hash);
  }
  return rows.length;
}
