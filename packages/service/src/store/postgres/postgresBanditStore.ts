import type { ReadEvent, StoredEvent } from "../../log/storedEvent.js";
import { BEFORE, COLUMNS, decisionsIn, type EventRow, HEAD, inParts, readEvents, requireConsecutive } from "../eventRows.js";
import type { Appended, BanditStore, Head } from "../store.js";
import { storeError } from "../storeError.js";
import type { Ask } from "./ask.js";

/** A decision has three slots at most. The limit keeps the planner from joining in any other way than id by id, by the index. */
const LOOK = `SELECT b.seq, ${HEAD}, ${COLUMNS}, ${BEFORE} FROM bandit b LEFT JOIN (
    unnest($2::text[]) AS d (id) CROSS JOIN LATERAL (SELECT * FROM event WHERE bandit = $1 AND decision = d.id ORDER BY slot LIMIT 3) e
  ) ON true WHERE b.id = $1`;

/** One statement, and so one round trip and one transaction: no row of `head`, nothing is written. */
const APPEND = `WITH
  head AS (UPDATE bandit b SET seq = $2 WHERE id = $1 AND seq = $3 AND ${HEAD} = $12 RETURNING id),
  added AS (
    INSERT INTO event (bandit, seq, kind, decision, slot, segment, at, body, hash)
    SELECT head.id, t.* FROM head, unnest($4::bigint[], $5::text[], $6::text[], $7::smallint[], $8::text[], $9::bigint[], $10::text[], $11::text[]) AS t)
  SELECT 'written' FROM head`;

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
    if (rows.length === 0) throw storeError(this.name, `it has no bandit number ${bandit}`);
    // Where nothing was found, there is one row with the number and nothing else.
    const events = rows.map(([, , ...event]) => event).filter(([seq]) => seq !== null);
    return { seq: rows[0]![0], hash: rows[0]![1], found: decisionsIn(readEvents(events)) };
  }

  async append(bandit: number, after: Head, events: readonly StoredEvent[]): Promise<Appended> {
    requireConsecutive(after.seq, events);
    const columns = (["seq", "kind", "decision", "slot", "segment", "at", "body", "hash"] as const).map((name) => events.map((event) => event[name]));
    const values = [bandit, after.seq + events.length, after.seq, ...columns, after.hash];
    return (await this.ask<[Appended]>("append", APPEND, values, [["taken"]]))[0]?.[0] ?? "behind";
  }

  events(bandit: number, after: number, limit: number, segment?: string): Promise<ReadEvent[]> {
    return inParts(after, limit, async (last, part) => {
      if (segment === undefined) return readEvents(await this.ask<EventRow>("events", EVENTS, [bandit, last, part]));
      if (segment === "") return readEvents(await this.ask<EventRow>("events of default", EVENTS_OF_DEFAULT, [bandit, last, part]));
      return readEvents(await this.ask<EventRow>("events of segment", EVENTS_OF_SEGMENT, [bandit, last, part, segment]));
    });
  }
}
