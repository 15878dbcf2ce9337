import { ServiceError } from "../serviceError.js";
import { chained } from "./chain.js";
import type { EventKind, LogEvent } from "./event.js";
import type { ReadEvent, StoredEvent } from "./storedEvent.js";

export const SLOTS: Readonly<Record<EventKind, StoredEvent["slot"]>> = { decision: 0, feedback: 1, expiry: 1, late: 2, change: null, version: null };

/** An event as a row, chained to the one before it. */
export function toRow(event: LogEvent, before: string): StoredEvent {
  const { seq, kind, at, decision = null, segment = null, ...fields } = event as LogEvent & { decision?: string; segment?: string };
  const row = { seq, kind, decision, slot: SLOTS[kind], segment, at, body: JSON.stringify(fields) };
  return { ...row, hash: chained(before, row) };
}

/** A row as the event that it is. Refuses one that was changed since it was written; `genesis` is the hash before the first. */
export function fromRow(row: ReadEvent, genesis: string): LogEvent {
  const before = row.seq === 1 ? genesis : row.before;
  const hash = chained(before, row);
  const isInPlace = row.slot === SLOTS[row.kind] || (row.slot === null && row.kind !== "decision");
  if (hash !== row.hash || !isInPlace) {
    const found = hash === row.hash ? `its slot is ${row.slot}` : `its hash is ${row.hash}, its content gives ${hash}`;
    throw new ServiceError("ERR_REPLAY", `event ${row.seq} is not as it was written: ${found}; restore the store from a backup`, { seq: row.seq });
  }
  return eventOf(row);
}

/** The event of a row that is known to be unchanged. */
export function eventOf({ seq, kind, decision, segment, at, body }: Omit<StoredEvent, "hash" | "slot">): LogEvent {
  const event = JSON.parse(body) as Record<string, unknown>;
  event.seq = seq;
  event.kind = kind;
  event.at = at;
  if (decision !== null) event.decision = decision;
  if (segment !== null) event.segment = segment;
  return event as unknown as LogEvent;
}
