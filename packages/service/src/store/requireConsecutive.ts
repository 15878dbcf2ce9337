import type { StoredEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";

/** The compare-and-swap trusts the numbers of the events, so a gap would stay in the log for ever. */
export function requireConsecutive(after: number, events: readonly StoredEvent[]): void {
  const stray = events.findIndex(({ seq }, index) => seq !== after + 1 + index);
  if (stray >= 0) throw new ServiceError("ERR_INTERNAL", `event ${events[stray]!.seq} was to be written at place ${after + 1 + stray} of its log`);
}
