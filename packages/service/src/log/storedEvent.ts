import { ServiceError } from "../serviceError.js";
import { digest } from "./digest.js";
import type { EventKind, LogEvent } from "./event.js";
import { markOf, sealOf } from "./origin.js";

/** A bandit as it was created: what its log begins with. */
export interface NewBandit {
  readonly name: string;
  /** As it was created, as JSON. */
  readonly document: string;
  /** The version of the library that created it, and its bits. */
  readonly version: string;
  readonly bits: string;
  readonly createdAt: number;
}

/**
 * One row of a log. Two constraints of the store are what "exactly once" rests on: (bandit, seq) is unique, and (bandit, decision, slot) is unique:
 * slot 0 is the decision itself, 1 its outcome (feedback or expiry), 2 its late feedback. Events that are about no decision have neither decision nor slot.
 * What is left of a decision that was pruned has no slot any more, so that its id can be used again.
 */
export interface StoredEvent {
  readonly seq: number;
  readonly kind: EventKind;
  /** Its id; "~" and its mark if that was erased. */
  readonly decision: string | null;
  /** A salt, and the request that it came with; "~" and its seal if that was erased. */
  readonly origin: string | null;
  readonly slot: 0 | 1 | 2 | null;
  /** "" is the default segment; null if the event is about the whole bandit. */
  readonly segment: string | null;
  readonly at: number;
  /** The other fields, as JSON. */
  readonly body: string;
  /** Chains it to the event before it. */
  readonly hash: string;
}

/** An event that was read, with the hash of the one before it ("" before the first), so that it can be checked. */
export interface ReadEvent extends StoredEvent {
  readonly before: string;
}

/** Where the chain of a log begins: with the bandit as it was created. */
export function genesis({ name, document, version, bits, createdAt }: NewBandit): string {
  return digest(JSON.stringify([name, version, bits, createdAt]) + document);
}

/** The hash of an event: it depends on every event before it, so that one changed digit breaks the chain. Of an id it covers a salted hash, so that the id can be erased. */
export function chained(before: string, { seq, kind, decision, origin, segment, at, body }: Omit<StoredEvent, "hash">): string {
  const mark = decision === null ? null : markOf(decision, origin ?? "");
  return digest(JSON.stringify([before, seq, kind, mark, origin === null ? null : sealOf(origin), segment, at]) + body);
}

export const SLOTS: Readonly<Record<EventKind, StoredEvent["slot"]>> = {
  decision: 0,
  feedback: 1,
  expiry: 1,
  late: 2,
  change: null,
  version: null,
  erasure: null,
  repair: null,
};

/** An event as a row, chained to the one before it. */
export function toRow(event: LogEvent, before: string): StoredEvent {
  const { seq, kind, at, decision = null, origin, segment = null } = event as LogEvent & { decision?: string; segment?: string };
  const row = { seq, kind, decision, origin, slot: SLOTS[kind], segment, at, body: bodyOf(event), hash: "" };
  row.hash = chained(before, row);
  return row;
}

/** The fields that have no column, as JSON. Those of most events are spelled out, since to leave out the others takes longer than all else here. */
function bodyOf(event: LogEvent): string {
  if (event.kind === "decision") {
    const { arm, number, round, probability, threshold, holdout, probabilities, expires, key } = event;
    return JSON.stringify({ arm, number, round, probability, threshold, holdout, probabilities, expires, key });
  }
  if (event.kind === "feedback") {
    const { loss, status, reward } = event;
    return JSON.stringify({ loss, status, reward });
  }
  const { seq, kind, at, origin, decision, segment, ...fields } = event as LogEvent & { decision?: string; segment?: string };
  return JSON.stringify(fields);
}

/** A row as the event that it is. Refuses one that was changed since it was written; `genesis` is the hash before the first. */
export function fromRow(row: ReadEvent, genesis: string): LogEvent {
  if (row.seq < 1) throw changed(row, "a log begins with event 1");
  const before = row.seq === 1 ? genesis : row.before;
  const hash = chained(before, row);
  if (hash !== row.hash) throw changed(row, `its hash is ${row.hash}, its content gives ${hash}`);
  requireSlot(row);
  return eventOf(row);
}

/** Of a decision that was pruned, the outcome has no slot any more. */
export function requireSlot(row: StoredEvent): void {
  const isInPlace = row.slot === SLOTS[row.kind] || (row.slot === null && row.kind !== "decision");
  if (!isInPlace) throw changed(row, `its slot is ${row.slot}`);
}

function changed({ seq }: StoredEvent, found: string): ServiceError {
  return new ServiceError("ERR_REPLAY", `event ${seq} is not as it was written: ${found}; restore the store from a backup`, { seq });
}

/** The event of a row that is known to be unchanged. */
export function eventOf({ seq, kind, decision, origin, segment, at, body }: Omit<StoredEvent, "hash" | "slot">): LogEvent {
  const event = JSON.parse(body) as Record<string, unknown>;
  event.seq = seq;
  event.kind = kind;
  event.at = at;
  event.origin = origin;
  if (decision !== null) event.decision = decision;
  if (segment !== null) event.segment = segment;
  return event as unknown as LogEvent;
}
