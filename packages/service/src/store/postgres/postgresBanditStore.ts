import type { ReadEvent, StoredEvent } from "../../log/storedEvent.js";
import { BEFORE, COLUMNS, decisionsIn, type EventRow, HEAD, inParts, readEvents, requireConsecutive } from "../eventRows.js";
import type { Appended, BanditStore, Erasure, Head } from "../store.js";
import { deletedBandit } from "../storeError.js";
import type { Ask } from "./ask.js";

/** A decision has three slots at most. The limit keeps the planner from joining in any other way than id by id, by the index. */
const LOOK = `SELECT b.seq, ${HEAD}, ${COLUMNS}, ${BEFORE} FROM bandit b LEFT JOIN (
    unnest($2::text[]) AS d (id) CROSS JOIN LATERAL (SELECT * FROM event WHERE bandit = $1 AND decision = d.id ORDER BY slot LIMIT 3) e
  ) ON true WHERE b.id = $1 AND b.deleted_at IS NULL`;

/** One statement, and so one round trip and one transaction: no row of `head`, nothing is written. */
const appending = (and: string) => `WITH
  head AS (UPDATE bandit b SET seq = $2 WHERE id = $1 AND seq = $3 AND ${HEAD} = $4 AND deleted_at IS NULL RETURNING id),
  added AS (
    INSERT INTO event (bandit, seq, kind, decision, origin, slot, segment, at, body, hash)
    SELECT head.id, t.* FROM head,
      unnest($5::bigint[], $6::text[], $7::text[], $8::text[], $9::smallint[], $10::text[], $11::bigint[], $12::text[], $13::text[]) AS t)${and}
  SELECT 'written' FROM head`;
const APPEND = appending("");
/** A statement of its own: a server may have the right to append, and not that to erase. */
const ERASE = appending(`,
  erased AS (
    UPDATE event e SET decision = t.decision, origin = t.origin
    FROM head, unnest($14::bigint[], $15::text[], $16::text[]) AS t (seq, decision, origin) WHERE e.bandit = head.id AND e.seq = t.seq)`);
const MENTIONS = `SELECT ${COLUMNS}, ${BEFORE} FROM event e WHERE e.bandit = $1 AND e.decision = $2 ORDER BY e.seq`;

// Rows that follow one another need no lookup of the hash before them, only the first does.
const FIRST = `CASE WHEN e.seq = (SELECT min(f.seq) FROM event f WHERE f.bandit = $1 AND f.seq > $2) THEN ${BEFORE} END`;
const EVENTS = `SELECT ${COLUMNS}, ${FIRST} FROM event e WHERE e.bandit = $1 AND e.seq > $2 ORDER BY e.seq LIMIT $3`;
const EVENTS_OF_DEFAULT = `SELECT ${COLUMNS}, ${BEFORE} FROM event e
  WHERE e.bandit = $1 AND e.seq > $2 AND (e.segment = '' OR e.segment IS NULL) ORDER BY e.seq LIMIT $3`;
const EVENTS_OF_SEGMENT = `SELECT ${COLUMNS}, ${BEFORE} FROM (
  (SELECT * FROM event WHERE bandit = $1 AND segment = $4 AND segment <> '' AND seq > $2 ORDER BY seq LIMIT $3)
  UNION ALL (SELECT * FROM event WHERE bandit = $1 AND segment IS NULL AND seq > $2 ORDER BY seq LIMIT $3)
  ORDER BY seq LIMIT $3) e ORDER BY e.seq`;

/** What a turn needs, on one connection or on any of a pool. */
export class PostgresBanditStore implements BanditStore {
  readonly name: string;
  protected readonly ask: Ask;

  constructor(name: string, ask: Ask) {
    this.name = name;
    this.ask = ask;
  }

  async look(bandit: number, decisions: readonly string[]) {
    const rows = await this.ask<[number, string, ...EventRow]>("look", LOOK, [bandit, decisions]);
    if (rows.length === 0) throw deletedBandit(this.name, bandit);
    // Where nothing was found, there is one row with the number and nothing else.
    const events = rows.map(([, , ...event]) => event).filter(([seq]) => seq !== null);
    return { seq: rows[0]![0], hash: rows[0]![1], found: decisionsIn(readEvents(events)) };
  }

  async append(bandit: number, after: Head, events: readonly StoredEvent[], erasures: readonly Erasure[] = []): Promise<Appended> {
    requireConsecutive(after.seq, events);
    const columns = (["seq", "kind", "decision", "origin", "slot", "segment", "at", "body", "hash"] as const).map((name) =>
      events.map((event) => event[name]),
    );
    const values = [bandit, after.seq + events.length, after.seq, after.hash, ...columns];
    const gone = (["seq", "decision", "origin"] as const).map((name) => erasures.map((erasure) => erasure[name]));
    const appended =
      erasures.length === 0
        ? await this.ask<[Appended]>("append", APPEND, values, [["taken"]])
        : await this.ask<[Appended]>("erase", ERASE, [...values, ...gone], [["taken"]]);
    return appended[0]?.[0] ?? "behind";
  }

  async mentions(bandit: number, decision: string): Promise<ReadEvent[]> {
    return readEvents(await this.ask<EventRow>("mentions", MENTIONS, [bandit, decision]));
  }

  events(bandit: number, after: number, limit: number, segment?: string): Promise<ReadEvent[]> {
    return inParts(after, limit, async (last, part) => {
      if (segment === undefined) return readEvents(await this.ask<EventRow>("events", EVENTS, [bandit, last, part]));
      if (segment === "") return readEvents(await this.ask<EventRow>("events of default", EVENTS_OF_DEFAULT, [bandit, last, part]));
      return readEvents(await this.ask<EventRow>("events of segment", EVENTS_OF_SEGMENT, [bandit, last, part, segment]));
    });
  }
}
