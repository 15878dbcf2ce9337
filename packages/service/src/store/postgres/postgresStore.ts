import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { genesis, type NewBandit, type ReadEvent, type StoredEvent } from "../../log/storedEvent.js";
import { ServiceError } from "../../serviceError.js";
import { BEFORE, COLUMNS, type EventRow, HEAD, inParts, readEvents } from "../eventRows.js";
import { PRUNE, requirePrunable } from "../pruning.js";
import {
  type BanditStore,
  type Head,
  type HistorySave,
  POSITION,
  type Store,
  type StoredBandit,
  type StoredHistory,
  type StoredKey,
  type StoredSnapshot,
} from "../store.js";
import { storeError } from "../storeError.js";
import { type Ask, askWith, refusal } from "./ask.js";
import type { PostgresAddress } from "./postgresAddress.js";
import { PostgresBanditStore } from "./postgresBanditStore.js";
import { Underway } from "./underway.js";

/** How long the server waits for a turn that holds a lock and says nothing, since its machine may be gone. */
const IDLE_TURN_MS = 1000;

/** The outcome is looked up decision by decision: of a NOT EXISTS the planner, as long as it has no statistics, makes a join that takes the square of the time. */
const OPEN = (which: string) => `SELECT ${COLUMNS}, ${BEFORE} FROM event e
  WHERE e.bandit = $1 AND e.seq BETWEEN $2 AND $3 AND e.slot = 0 ${which}
    AND coalesce((SELECT o.seq FROM event o WHERE o.bandit = e.bandit AND o.decision = e.decision AND o.slot = 1) > $3, true)
  ORDER BY e.seq LIMIT $4`;
const BANDIT = "SELECT id, name, document, version, bits, created_at, seq, pruned_seq, pruned_hash FROM bandit";
/** What is inserted by a statement is not seen by the rest of it, so that the places are counted over what is there and what comes. */
const SAVE = `WITH
  given AS (SELECT * FROM unnest($2::text[], $3::bigint[], $4::text[]) AS t (part, seq, body)),
  ranked AS (
    SELECT part, seq, row_number() OVER (PARTITION BY part ORDER BY seq DESC) AS place
    FROM (SELECT part, seq FROM snapshot WHERE bandit = $1 AND part = ANY ($2::text[]) UNION SELECT part, seq FROM given) AS a),
  added AS (
    INSERT INTO snapshot (bandit, part, seq, body)
    SELECT $1, part, seq, body FROM given JOIN ranked USING (part, seq) WHERE place <= 3 ON CONFLICT DO NOTHING)
  DELETE FROM snapshot s USING ranked r WHERE s.bandit = $1 AND s.part = r.part AND s.seq = r.seq AND r.place > 3`;
/** The row of the position is what servers take turns at. */
const SAVE_HISTORY = `WITH
  given AS (SELECT * FROM unnest($3::text[], $4::bigint[], $5::text[]) AS t (part, at, body)),
  moved AS (
    INSERT INTO history (bandit, part, at, seq, body) SELECT $1, part, at, $2, body FROM given WHERE part = '${POSITION}'
    ON CONFLICT (bandit, part, at) DO UPDATE SET seq = excluded.seq, body = excluded.body WHERE history.seq < excluded.seq RETURNING 1 AS done),
  gone AS (
    DELETE FROM history h USING unnest($6::text[], $7::bigint[]) AS f (part, before)
    WHERE h.bandit = $1 AND h.part = f.part AND h.at < f.before AND EXISTS (SELECT FROM moved)),
  added AS (
    INSERT INTO history (bandit, part, at, seq, body)
    SELECT $1, part, at, $2, body FROM given WHERE part <> '${POSITION}' AND EXISTS (SELECT FROM moved)
    ON CONFLICT (bandit, part, at) DO UPDATE SET seq = excluded.seq, body = excluded.body)
  SELECT done FROM moved`;
const PRUNE_TO = `WITH
  slots AS (UPDATE event SET slot = NULL WHERE bandit = $1 AND seq > $2 AND slot > 0 AND decision IN (
    SELECT decision FROM event WHERE bandit = $1 AND seq <= $2 AND slot = 0)),
  history AS (DELETE FROM history WHERE bandit = $1 AND part <> '${POSITION}' AND at < (SELECT at FROM event WHERE bandit = $1 AND seq = $2)),
  events AS (DELETE FROM event WHERE bandit = $1 AND seq <= $2),
  snapshots AS (DELETE FROM snapshot WHERE bandit = $1 AND seq < $2)
  UPDATE bandit SET pruned_seq = $2, pruned_hash = $3 WHERE id = $1 AND pruned_seq < $2`;

const CUT = `WITH
  head AS (UPDATE bandit b SET seq = $4 WHERE id = $1 AND seq = $2 AND ${HEAD} = $3 AND deleted_at IS NULL RETURNING id),
  events AS (DELETE FROM event e USING head WHERE e.bandit = head.id AND e.seq > $4),
  snapshots AS (DELETE FROM snapshot s USING head WHERE s.bandit = head.id AND s.seq > $4),
  history AS (DELETE FROM history h USING head WHERE h.bandit = head.id)
  SELECT id FROM head`;
const HEAD_OF = `SELECT ${HEAD} FROM bandit b WHERE id = $1`;
const REMOVE = `WITH
  events AS (DELETE FROM event WHERE bandit = $1), snapshots AS (DELETE FROM snapshot WHERE bandit = $1),
  history AS (DELETE FROM history WHERE bandit = $1)
  UPDATE bandit b SET document = '', pruned_hash = ${HEAD}, pruned_seq = seq, deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL`;

type BanditRow = [
  id: number,
  name: string,
  document: string,
  version: string,
  bits: string,
  createdAt: number,
  seq: number,
  prunedSeq: number,
  prunedHash: string,
];
type KeyRow = [
  id: string,
  hash: string,
  role: StoredKey["role"],
  scopes: string,
  note: string,
  createdAt: number,
  revokedAt: number | null,
  lastUsed: string | null,
];

/** A store in a PostgreSQL database. */
export class PostgresStore extends PostgresBanditStore implements Store {
  readonly #pool: Pool;
  readonly #address: PostgresAddress;
  readonly #underway: Underway;

  constructor(pool: Pool, address: PostgresAddress) {
    const underway = new Underway(() => storeError(address.shown, "it is closed"));
    const ask = askWith(pool, address);
    super(address.shown, (...question) => underway.during(() => ask(...question)));
    this.#underway = underway;
    this.#pool = pool;
    this.#address = address;
  }

  locked<T>(bandit: number, turn: (store: BanditStore) => Promise<T>): Promise<T> {
    return this.#underway.during(() => this.#locked(bandit, (ask) => turn(new PostgresBanditStore(this.name, ask))));
  }

  async #locked<T>(bandit: number, work: (ask: Ask) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken = true;
    try {
      const ask = askWith(client, this.#address);
      const say = async (text: string) => {
        await client.query(text).catch((error) => {
          throw refusal(this.#address, error);
        });
      };
      await say("BEGIN");
      await say(`SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TURN_MS}`);
      await ask("lock", "SELECT FROM bandit WHERE id = $1 FOR UPDATE", [bandit]);
      const result = await work(ask);
      await say("COMMIT");
      broken = false;
      return result;
    } finally {
      // With the connection, the transaction ends. To ask for a rollback would take as long again, if nobody answers any more.
      client.release(broken);
    }
  }

  async bandits(): Promise<StoredBandit[]> {
    return (await this.ask<BanditRow>("bandits", `${BANDIT} WHERE deleted_at IS NULL ORDER BY id`, [])).map(storedBandit);
  }

  async bandit(name: string): Promise<StoredBandit | null> {
    return (await this.ask<BanditRow>("bandit", `${BANDIT} WHERE name = $1 AND deleted_at IS NULL`, [name])).map(storedBandit)[0] ?? null;
  }

  async create(bandit: NewBandit): Promise<boolean> {
    const { name, document, version, bits, createdAt } = bandit;
    const text =
      "INSERT INTO bandit (name, document, version, bits, created_at, genesis) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO NOTHING RETURNING id";
    return (await this.ask("create", text, [name, document, version, bits, createdAt, genesis(bandit)])).length > 0;
  }

  open(bandit: number, from: number, upTo: number, segment?: string): Promise<ReadEvent[]> {
    return inParts(from - 1, Number.POSITIVE_INFINITY, async (last, part) => {
      const range = [bandit, last + 1, upTo, part];
      if (segment === undefined) return readEvents(await this.ask<EventRow>("open", OPEN(""), range));
      if (segment === "") return readEvents(await this.ask<EventRow>("open of default", OPEN("AND e.segment = ''"), range));
      return readEvents(await this.ask<EventRow>("open of segment", OPEN("AND e.segment = $5 AND e.segment <> ''"), [...range, segment]));
    });
  }

  async save(bandit: number, snapshots: readonly StoredSnapshot[]): Promise<void> {
    const [parts, seqs, bodies] = [snapshots.map(({ part }) => part), snapshots.map(({ seq }) => seq), snapshots.map(({ body }) => body)];
    await this.ask("save", SAVE, [bandit, parts, seqs, bodies]);
  }

  async snapshots(bandit: number, part: string): Promise<StoredSnapshot[]> {
    const text = "SELECT seq, body FROM snapshot WHERE bandit = $1 AND part = $2 ORDER BY seq DESC LIMIT 3";
    return (await this.ask<[number, string]>("snapshots", text, [bandit, part])).map(([seq, body]) => ({ part, seq, body }));
  }

  async saved(bandit: number): Promise<{ part: string; seq: number }[]> {
    const rows = await this.ask<[string, number]>("saved", "SELECT part, seq FROM snapshot WHERE bandit = $1", [bandit]);
    return rows.map(([part, seq]) => ({ part, seq }));
  }

  async history(bandit: number, part: string, from: number, to: number): Promise<StoredHistory[]> {
    const text = "SELECT at, body FROM history WHERE bandit = $1 AND part = $2 AND at >= $3 AND at < $4 ORDER BY at";
    return (await this.ask<[number, string]>("history", text, [bandit, part, from, to])).map(([at, body]) => ({ part, at, body }));
  }

  async saveHistory(bandit: number, { seq, rows, forget }: HistorySave): Promise<boolean> {
    const columns = [rows.map(({ part }) => part), rows.map(({ at }) => at), rows.map(({ body }) => body)];
    const gone = [forget.map(({ part }) => part), forget.map(({ before }) => before)];
    return (await this.ask("save history", SAVE_HISTORY, [bandit, seq, ...columns, ...gone])).length > 0;
  }

  async dropHistory(bandit: number, seq: number): Promise<void> {
    const text = `DELETE FROM history WHERE bandit = $1 AND EXISTS (SELECT FROM history WHERE bandit = $1 AND part = '${POSITION}' AND seq = $2)`;
    await this.ask("drop history", text, [bandit, seq]);
  }

  async prune(bandit: number, upTo: number, hash: string): Promise<void> {
    await requirePrunable(this, bandit, upTo, hash);
    const text = "SELECT seq, hash FROM event WHERE bandit = $1 AND seq <= $2 ORDER BY seq LIMIT 1 OFFSET $3";
    for (;;) {
      const [end] = await this.ask<[number, string]>("prune end", text, [bandit, upTo, PRUNE.events - 1]);
      await this.ask("prune", PRUNE_TO, [bandit, ...(end ?? [upTo, hash])]);
      if (end === undefined || end[0] === upTo) return;
      await pause(PRUNE.pauseMs);
    }
  }

  truncate(bandit: number, { seq, hash }: Head, to: number, last: StoredEvent): Promise<boolean> {
    return this.#underway.during(() =>
      this.#locked(bandit, async (ask) => {
        if ((await ask("cut", CUT, [bandit, seq, hash, to])).length === 0) return false;
        const [[head]] = (await ask<[string]>("head", HEAD_OF, [bandit])) as [[string]];
        return (await new PostgresBanditStore(this.name, ask).append(bandit, { seq: to, hash: head }, [last])) === "written";
      }),
    );
  }

  async remove(bandit: number, at: number): Promise<void> {
    await this.ask("remove", REMOVE, [bandit, at]);
  }

  async keys(): Promise<StoredKey[]> {
    const text = "SELECT id, hash, role, scopes, note, created_at, revoked_at, last_used FROM key ORDER BY created_at, id";
    return (await this.ask<KeyRow>("keys", text, [])).map(storedKey);
  }

  async addKey({ id, hash, role, scopes, note, createdAt, revokedAt, lastUsed }: StoredKey): Promise<void> {
    const text = "INSERT INTO key (id, hash, role, scopes, note, created_at, revoked_at, last_used) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    await this.ask("add key", text, [id, hash, role, JSON.stringify(scopes), note, createdAt, revokedAt, lastUsed]);
  }

  async revokeKey(id: string, at: number): Promise<boolean> {
    return (
      (
        await this.ask("revoke key", "UPDATE key SET revoked_at = $2 WHERE id = $1 AND (revoked_at IS NULL OR revoked_at > $2) RETURNING id", [
          id,
          at,
        ])
      ).length > 0
    );
  }

  async useKey(id: string, day: string): Promise<void> {
    await this.ask("use key", "UPDATE key SET last_used = $2 WHERE id = $1 AND (last_used IS NULL OR last_used < $2)", [id, day]);
  }

  async copy(file: string): Promise<never> {
    const message = `PostgreSQL has its own: pg_dump --format=custom --file=${file} with the URL of the store; restore it with pg_restore into an empty database, and audit that`;
    throw new ServiceError("ERR_BACKUP", message);
  }

  async secret(): Promise<string> {
    return (await this.ask<[string]>("secret", "SELECT secret FROM meta", []))[0]![0];
  }

  /** PostgreSQL has checksums of its pages, and tools of its own for its indexes. */
  async check(): Promise<void> {}

  async ping(at: number): Promise<void> {
    await this.ask("ping", "UPDATE meta SET checked_at = $1", [at]);
  }

  close(): Promise<void> {
    return this.#underway.end(() => this.#pool.end());
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw refusal(this.#address, error);
    }
  }
}

function storedBandit([id, name, document, version, bits, createdAt, seq, prunedSeq, prunedHash]: BanditRow): StoredBandit {
  return { id, name, document, version, bits, createdAt, seq, prunedSeq, prunedHash };
}

function storedKey([id, hash, role, scopes, note, createdAt, revokedAt, lastUsed]: KeyRow): StoredKey {
  return { id, hash, role, scopes: JSON.parse(scopes), note, createdAt, revokedAt, lastUsed };
}
