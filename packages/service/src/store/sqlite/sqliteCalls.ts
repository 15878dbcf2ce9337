import type Database from "libsql";
import { genesis, type NewBandit } from "../../log/storedEvent.js";
import { BEFORE, COLUMNS, HEAD } from "../eventRows.js";
import {
  type Appended,
  type Erasure,
  type Head,
  type HistorySave,
  POSITION,
  type StoredBandit,
  type StoredHistory,
  type StoredKey,
  type StoredSnapshot,
} from "../store.js";
import { ofRows, type Values } from "./ofRows.js";
import { changedSchema } from "./openDatabase.js";

/** A key with its scopes as JSON. */
export type KeyRow = Omit<StoredKey, "scopes"> & { readonly scopes: string };

/**
 * What the thread can be asked. Many events go in as one list of columns and come out as one JSON text of EventRows: lists of objects cost twice as much on
 * their way out of the driver and between the threads.
 */
export interface SqliteCalls {
  /** Events that follow on event `after`, whose hash is `head`. */
  append(bandit: number, after: number, head: string, events: Values, erasures?: readonly Erasure[]): Appended;
  /** Several appends that erase nothing, all or none; false if one of them is behind: what the others wrote must be taken back. Not to be asked from outside. */
  appendAll(appends: readonly SqliteAppend[]): boolean;
  /** What was erased leaves the write-ahead log too. */
  checkpoint(): void;
  mentions(bandit: number, decision: string): string;
  truncate(bandit: number, head: Head, to: number, last: Values): boolean;
  remove(bandit: number, at: number): void;
  create(bandit: NewBandit): boolean;
  save(bandit: number, snapshots: readonly StoredSnapshot[]): void;
  saveHistory(bandit: number, save: HistorySave): boolean;
  dropHistory(bandit: number, seq: number): void;
  /** Deletes the oldest events up to `upTo`, at most `limit`; true if that was all. */
  prune(bandit: number, upTo: number, hash: string, limit: number): boolean;
  addKey(key: KeyRow): void;
  revokeKey(id: string, at: number): boolean;
  useKey(id: string, day: string): void;
  look(bandit: number, decisions: string): { seq: number | null; hash: string; rows: string };
  events(bandit: number, after: number, limit: number, segment: string | undefined): string;
  open(bandit: number, from: number, upTo: number, limit: number, segment: string | undefined): string;
  bandits(): StoredBandit[];
  bandit(name: string): StoredBandit | null;
  snapshots(bandit: number, part: string): StoredSnapshot[];
  saved(bandit: number): { part: string; seq: number }[];
  history(bandit: number, part: string, from: number, to: number): StoredHistory[];
  keys(): KeyRow[];
  secret(): string;
  /** What is wrong with the file; null if nothing is. */
  check(): string | null;
  ping(at: number): void;
  copy(file: string): void;
}

export type SqliteAppend = [bandit: number, after: number, head: string, events: Values];

/** The calls that write, and so need a transaction of their own kind. */
export const WRITES: ReadonlySet<keyof SqliteCalls> = new Set([
  "append",
  "create",
  "save",
  "saveHistory",
  "dropHistory",
  "prune",
  "truncate",
  "remove",
  "addKey",
  "revokeKey",
  "useKey",
  "ping",
]);

/** Named by hand: the planner has no statistics, and for some of these queries would scan the whole log. */
const BY_DECISION = "INDEXED BY event_of_decision";
/** Every text leaves the driver as bytes: it ends the whole process if a text is not UTF-8, and one flipped bit on the disk is enough for that. */
const JSON_ROWS = (before: string) => `SELECT CAST(json_group_array(json_array(${COLUMNS}, ${before})) AS BLOB)`;
/** The rows of a query as JSON objects, by pairs of a key and its column. */
const objects = (pairs: readonly string[], query: string) =>
  `SELECT CAST(json_group_array(json_object(${pairs.join(", ")})) AS BLOB) FROM (${query})`;
const BANDIT = [
  ...["'id', id", "'name', name", "'document', document", "'version', version", "'bits', bits", "'createdAt', created_at", "'seq', seq"],
  ...["'prunedSeq', pruned_seq", "'prunedHash', pruned_hash"],
];
const SNAPSHOT = ["'part', part", "'seq', seq", "'body', body"];
const HISTORY = ["'part', part", "'at', at", "'body', body"];
const KEY = [
  ...["'id', id", "'hash', hash", "'role', role", "'scopes', scopes", "'note', note", "'createdAt', created_at"],
  ...["'revokedAt', revoked_at", "'lastUsed', last_used"],
];

/** Columns of an event. */
const WIDTH = 10;

/** The statements on a database. */
export function sqliteCalls(database: Database.Database): SqliteCalls {
  const insert = ofRows(
    database,
    WIDTH,
    (rows) => `INSERT INTO event (bandit, seq, kind, decision, origin, slot, segment, at, body, hash) VALUES ${rows}`,
  );
  const swap = database.prepare(`UPDATE bandit AS b SET seq = ?1 WHERE id = ?2 AND seq = ?3 AND ${HEAD} = ?4 AND deleted_at IS NULL`);
  const swapAll = ofRows(
    database,
    4,
    (rows) => `WITH head (bandit, seq, hash, last) AS (VALUES ${rows})
      UPDATE bandit AS b SET seq = head.last FROM head WHERE b.id = head.bandit AND b.seq = head.seq AND ${HEAD} = head.hash AND b.deleted_at IS NULL`,
  );
  const erase = database.prepare("UPDATE event SET decision = ?3, origin = ?4 WHERE bandit = ?1 AND seq = ?2");
  const mentions = database
    .prepare(`${JSON_ROWS(BEFORE)} FROM event e ${BY_DECISION} WHERE e.bandit = ?1 AND e.decision = ?2 AND e.decision IS NOT NULL`)
    .raw();
  const create = database.prepare(
    "INSERT INTO bandit (name, document, version, bits, created_at, genesis) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
  );
  const save = database.prepare("INSERT INTO snapshot (bandit, part, seq, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
  const keepThree = database.prepare(
    `DELETE FROM snapshot WHERE bandit = ?1 AND part = ?2
       AND seq < (SELECT seq FROM snapshot WHERE bandit = ?1 AND part = ?2 ORDER BY seq DESC LIMIT 1 OFFSET 2)`,
  );
  const historySeq = database.prepare(`SELECT seq FROM history WHERE bandit = ? AND part = '${POSITION}' AND at = 0`).raw();
  const saveHistory = database.prepare(
    "INSERT INTO history (bandit, part, at, seq, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (bandit, part, at) DO UPDATE SET seq = excluded.seq, body = excluded.body",
  );
  const dropHistory = database.prepare("DELETE FROM history WHERE bandit = ?");
  const forgetHistory = database.prepare("DELETE FROM history WHERE bandit = ? AND part = ? AND at < ?");
  const pruneEnd = database.prepare("SELECT seq, CAST(hash AS BLOB) FROM event WHERE bandit = ?1 AND seq <= ?2 ORDER BY seq LIMIT 1 OFFSET ?3").raw();
  const pruneSlots = database.prepare(
    `UPDATE event ${BY_DECISION} SET slot = NULL WHERE bandit = ?1 AND decision IN (
       SELECT decision FROM event WHERE bandit = ?1 AND seq <= ?2 AND slot = 0) AND decision IS NOT NULL AND slot > 0 AND seq > ?2`,
  );
  const pruneEvents = database.prepare("DELETE FROM event WHERE bandit = ?1 AND seq <= ?2");
  const pruneHistory = database.prepare(
    `DELETE FROM history WHERE bandit = ?1 AND part <> '${POSITION}' AND at < (SELECT at FROM event WHERE bandit = ?1 AND seq = ?2)`,
  );
  const pruneSnapshots = database.prepare("DELETE FROM snapshot WHERE bandit = ?1 AND seq < ?2");
  const pruned = database.prepare("UPDATE bandit SET pruned_seq = ?2, pruned_hash = ?3 WHERE id = ?1 AND pruned_seq < ?2");
  const cutEvents = database.prepare("DELETE FROM event WHERE bandit = ?1 AND seq > ?2");
  const cutSnapshots = database.prepare("DELETE FROM snapshot WHERE bandit = ?1 AND seq > ?2");
  const remove = database.prepare(
    `UPDATE bandit AS b SET document = '', pruned_hash = ${HEAD}, pruned_seq = seq, deleted_at = ?2 WHERE id = ?1 AND deleted_at IS NULL`,
  );
  const addKey = database.prepare(
    "INSERT INTO key (id, hash, role, scopes, note, created_at, revoked_at, last_used) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const revokeKey = database.prepare("UPDATE key SET revoked_at = ?2 WHERE id = ?1 AND (revoked_at IS NULL OR revoked_at > ?2)");
  const useKey = database.prepare("UPDATE key SET last_used = ?2 WHERE id = ?1 AND (last_used IS NULL OR last_used < ?2)");

  // All that is read for a call is read by one statement, and so at one moment, without a transaction.
  const look = database
    .prepare(
      `SELECT (SELECT seq FROM bandit WHERE id = ?1 AND deleted_at IS NULL), (SELECT CAST(${HEAD} AS BLOB) FROM bandit b WHERE b.id = ?1), (
         ${JSON_ROWS(BEFORE)} FROM event e ${BY_DECISION}
         WHERE e.bandit = ?1 AND e.decision IN (SELECT value FROM json_each(?2)) AND e.decision IS NOT NULL)`,
    )
    .raw();
  // Rows that follow one another need no lookup of the hash before them, only the first does.
  const first = `iif(e.seq = (SELECT min(f.seq) FROM event f WHERE f.bandit = ?1 AND f.seq > ?2), ${BEFORE}, NULL)`;
  const events = database.prepare(`${JSON_ROWS(first)} FROM (SELECT * FROM event WHERE bandit = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3) e`).raw();
  const eventsOfDefault = database
    .prepare(
      `${JSON_ROWS(BEFORE)} FROM (
         SELECT * FROM event WHERE bandit = ?1 AND seq > ?2 AND (segment = '' OR segment IS NULL) ORDER BY seq LIMIT ?3) e`,
    )
    .raw();
  const eventsOfSegment = database
    .prepare(
      `${JSON_ROWS(BEFORE)} FROM (
         SELECT * FROM (
           SELECT * FROM event INDEXED BY event_of_segment WHERE bandit = ?1 AND segment = ?4 AND segment <> '' AND seq > ?2 ORDER BY seq LIMIT ?3)
         UNION ALL SELECT * FROM (
           SELECT * FROM event INDEXED BY event_of_all_segments WHERE bandit = ?1 AND segment IS NULL AND seq > ?2 ORDER BY seq LIMIT ?3)
         ORDER BY seq LIMIT ?3) e`,
    )
    .raw();
  const open = (source: string) =>
    database
      .prepare(
        `${JSON_ROWS(BEFORE)} FROM (
           SELECT d.* FROM event d ${source} AND d.bandit = ?1 AND d.seq BETWEEN ?2 AND ?3 AND d.slot = 0 AND NOT EXISTS (
             SELECT 1 FROM event o ${BY_DECISION} WHERE o.bandit = ?1 AND o.decision = d.decision AND o.decision IS NOT NULL AND o.slot = 1 AND o.seq <= ?3)
           ORDER BY d.seq LIMIT ?4) e`,
      )
      .raw();
  const openOfAll = open("WHERE true");
  const openOfDefault = open("WHERE d.segment = ''");
  const openOfSegment = open("INDEXED BY event_of_segment WHERE d.segment = ?5 AND d.segment <> ''");
  const bandits = database.prepare(objects(BANDIT, "SELECT * FROM bandit WHERE deleted_at IS NULL ORDER BY id")).raw();
  const bandit = database.prepare(objects(BANDIT, "SELECT * FROM bandit WHERE name = ? AND deleted_at IS NULL")).raw();
  const snapshots = database
    .prepare(objects(SNAPSHOT, "SELECT part, seq, body FROM snapshot WHERE bandit = ? AND part = ? ORDER BY seq DESC LIMIT 3"))
    .raw();
  const saved = database.prepare(objects(SNAPSHOT.slice(0, 2), "SELECT part, seq FROM snapshot WHERE bandit = ?")).raw();
  const history = database
    .prepare(objects(HISTORY, "SELECT part, at, body FROM history WHERE bandit = ? AND part = ? AND at >= ? AND at < ? ORDER BY at"))
    .raw();
  const keys = database.prepare(objects(KEY, "SELECT * FROM key ORDER BY created_at, id")).raw();
  const check = database.prepare("SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check(1)").raw();
  const secret = database.prepare("SELECT CAST(secret AS BLOB) FROM meta").raw();
  const ping = database.prepare("UPDATE meta SET checked_at = ?");

  const text = (statement: Database.Statement, parameters: unknown[]) => textOf((statement.all(parameters) as [Buffer][])[0]![0]);
  const read = <Row>(statement: Database.Statement, parameters: unknown[]) => JSON.parse(text(statement, parameters)) as Row[];
  return {
    append(id, after, head, events, erasures = []) {
      if (swap.run([after + events.length / WIDTH, id, after, head]).changes === 0) return "behind";
      insert(events);
      for (const { seq, decision, origin } of erasures) erase.run([id, seq, decision, origin]);
      return "written";
    },
    appendAll(appends) {
      if (swapAll(appends.flatMap(([id, after, head, events]) => [id, after, head, after + events.length / WIDTH])) < appends.length) return false;
      insert(appends.flatMap(([, , , events]) => events));
      return true;
    },
    checkpoint() {
      database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").raw().all([]);
    },
    mentions: (id, decision) => text(mentions, [id, decision]),
    truncate(id, head, to, last) {
      if (swap.run([to + 1, id, head.seq, head.hash]).changes === 0) return false;
      cutEvents.run([id, to]);
      insert(last);
      cutSnapshots.run([id, to]);
      // It is made from the log again.
      dropHistory.run([id]);
      return true;
    },
    remove(id, at) {
      remove.run([id, at]);
      cutEvents.run([id, 0]);
      cutSnapshots.run([id, 0]);
      dropHistory.run([id]);
    },
    create(bandit) {
      const { name, document, version, bits, createdAt } = bandit;
      return create.run([name, document, version, bits, createdAt, genesis(bandit)]).changes > 0;
    },
    save(id, all) {
      for (const { part, seq, body } of all) {
        save.run([id, part, seq, body]);
        keepThree.run([id, part]);
      }
    },
    saveHistory(id, { seq, rows, forget }) {
      const [found] = historySeq.all([id]) as [number][];
      if (found !== undefined && found[0] >= seq) return false;
      for (const { part, at, body } of rows) saveHistory.run([id, part, at, seq, body]);
      for (const { part, before } of forget) forgetHistory.run([id, part, before]);
      return true;
    },
    dropHistory(id, seq) {
      const [found] = historySeq.all([id]) as [number][];
      if (found?.[0] === seq) dropHistory.run([id]);
    },
    prune(id, upTo, hash, limit) {
      const [end] = pruneEnd.all([id, upTo, limit - 1]) as [number, Buffer][];
      const [until, its] = end === undefined ? [upTo, hash] : [end[0], textOf(end[1])];
      pruneSlots.run([id, until]);
      pruneHistory.run([id, until]);
      pruneEvents.run([id, until]);
      pruneSnapshots.run([id, until]);
      pruned.run([id, until, its]);
      return until === upTo;
    },
    addKey({ id, hash, role, scopes, note, createdAt, revokedAt, lastUsed }) {
      addKey.run([id, hash, role, scopes, note, createdAt, revokedAt, lastUsed]);
    },
    revokeKey: (id, at) => revokeKey.run([id, at]).changes > 0,
    useKey(id, day) {
      useKey.run([id, day]);
    },
    look(id, decisions) {
      const [[seq, hash, rows]] = look.all([id, decisions]) as [[number | null, Buffer | null, Buffer]];
      return { seq, hash: hash === null ? "" : textOf(hash), rows: textOf(rows) };
    },
    events(id, after, limit, segment) {
      if (segment === undefined) return text(events, [id, after, limit]);
      return segment === "" ? text(eventsOfDefault, [id, after, limit]) : text(eventsOfSegment, [id, after, limit, segment]);
    },
    open(id, from, upTo, limit, segment) {
      if (segment === undefined) return text(openOfAll, [id, from, upTo, limit]);
      return segment === "" ? text(openOfDefault, [id, from, upTo, limit]) : text(openOfSegment, [id, from, upTo, limit, segment]);
    },
    bandits: () => read<StoredBandit>(bandits, []),
    bandit: (name) => read<StoredBandit>(bandit, [name])[0] ?? null,
    snapshots: (id, part) => read<StoredSnapshot>(snapshots, [id, part]),
    saved: (id) => read<{ part: string; seq: number }>(saved, [id]),
    history: (id, part, from, to) => read<StoredHistory>(history, [id, part, from, to]),
    keys: () => read<KeyRow>(keys, []),
    secret: () => text(secret, []),
    check() {
      const found = text(check, []);
      if (found !== "ok") return found;
      const changed = changedSchema(database);
      return changed === null ? null : `its schema was changed: ${changed.replace(/\s+/g, " ").slice(0, 100)}`;
    },
    ping(at) {
      ping.run([at]);
    },
    copy(file) {
      database.prepare("VACUUM INTO ?").run([file]);
    },
  };
}

/** What is not UTF-8 becomes another text, and so does not fit its hash. */
function textOf(bytes: Buffer): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
