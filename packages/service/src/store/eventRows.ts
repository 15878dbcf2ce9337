import type { ReadEvent, StoredEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { StoredDecision } from "./store.js";

/** An event as the queries of both stores give it. `before` may be null where the row before it is in the same answer. */
export type EventRow = [
  seq: number,
  kind: StoredEvent["kind"],
  decision: string | null,
  origin: string | null,
  slot: StoredEvent["slot"],
  segment: string | null,
  at: number,
  body: string,
  hash: string,
  before: string | null,
];

/** The columns of an EventRow but the last, of a table `e`. */
export const COLUMNS = "e.seq, e.kind, e.decision, e.origin, e.slot, e.segment, e.at, e.body, e.hash";

/** The hash of the event before `e`, in SQL. The bandit remembers that of the last pruned event; before the first event it is "". */
export const BEFORE = `coalesce(
  (SELECT p.hash FROM event p WHERE p.bandit = e.bandit AND p.seq = e.seq - 1),
  (SELECT b.pruned_hash FROM bandit b WHERE b.id = e.bandit AND b.pruned_seq = e.seq - 1), '')`;

/** The hash of the last event of a bandit `b`, in SQL; before the first event that of the bandit as it was created; "" if the event is missing. */
export const HEAD = `coalesce(
  (SELECT l.hash FROM event l WHERE l.bandit = b.id AND l.seq = b.seq),
  CASE b.seq WHEN 0 THEN b.genesis WHEN b.pruned_seq THEN b.pruned_hash END, '')`;

export function readEvents(rows: readonly EventRow[]): ReadEvent[] {
  let last: ReadEvent | undefined;
  return rows.map(([seq, kind, decision, origin, slot, segment, at, body, hash, before]) => {
    last = { seq, kind, decision, origin, slot, segment, at, body, hash, before: before ?? (last?.seq === seq - 1 ? last.hash : "") };
    return last;
  });
}

/** The decisions that some events are about. What is left of a decision that was pruned has no slot, and is left out: nobody can say any more what was decided. */
export function decisionsIn(events: readonly ReadEvent[]): Map<string, StoredDecision> {
  const found = new Map<string, StoredDecision>();
  for (const event of events) if (event.slot === 0) found.set(event.decision!, { decision: event, outcome: null, late: null });
  for (const event of events) {
    const known = found.get(event.decision!);
    if (event.slot === 0 || event.slot === null) continue;
    if (known === undefined) {
      // Late feedback may have been written while its decision was pruned.
      if (event.slot === 2) continue;
      const message = `event ${event.seq} is the outcome of the decision ${event.decision}, which is not in the log: it was changed; restore the store from a backup`;
      throw new ServiceError("ERR_REPLAY", message, { seq: event.seq });
    }
    found.set(event.decision!, { ...known, [event.slot === 1 ? "outcome" : "late"]: event });
  }
  return found;
}

/** Events that are read at once: a text of a megabyte, during which others wait a few milliseconds. */
const PART = 2_000;

/** Reads up to `limit` events after `after`. What lies in a log does not change, so that parts that are read one after the other fit together. */
export async function inParts(
  after: number,
  limit: number,
  read: (after: number, limit: number) => Promise<readonly ReadEvent[]>,
): Promise<ReadEvent[]> {
  const all: ReadEvent[] = [];
  for (let last = after; ; ) {
    const part = Math.min(PART, limit - all.length);
    const more = await read(last, part);
    for (const event of more) all.push(event);
    if (more.length < part || all.length >= limit) return all;
    last = more.at(-1)!.seq;
  }
}

/** The compare-and-swap trusts the numbers of the events, so a gap would stay in the log for ever. */
export function requireConsecutive(after: number, events: readonly StoredEvent[]): void {
  const stray = events.findIndex(({ seq }, index) => seq !== after + 1 + index);
  if (stray >= 0) throw new ServiceError("ERR_INTERNAL", `event ${events[stray]!.seq} was to be written at place ${after + 1 + stray} of its log`);
}
