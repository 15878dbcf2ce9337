import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import { ServiceError } from "../../serviceError.js";
import { isCurrentSchema, newSecret, SCHEMA_VERSION, storeError } from "../storeError.js";
import { sqliteReason } from "./sqliteReason.js";

/** How long a call waits while another process writes to the same file. */
const BUSY_MS = 5000;

/** What creates the tables of a file, one entry for each schema; never changed once released. `event_of_decision` is what "exactly once" rests on. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE bandit (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, document TEXT NOT NULL, version TEXT NOT NULL, bits TEXT NOT NULL, created_at INTEGER NOT NULL,
    genesis TEXT NOT NULL, seq INTEGER NOT NULL DEFAULT 0, pruned_seq INTEGER NOT NULL DEFAULT 0, pruned_hash TEXT NOT NULL DEFAULT '',
    deleted_at INTEGER
  );
  CREATE TABLE event (
    bandit INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, decision TEXT, origin TEXT, slot INTEGER, segment TEXT, at INTEGER NOT NULL,
    body TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (bandit, seq)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX event_of_decision ON event (bandit, decision, slot) WHERE decision IS NOT NULL;
  CREATE INDEX event_of_segment ON event (bandit, segment, seq) WHERE segment <> '';
  CREATE INDEX event_of_all_segments ON event (bandit, seq) WHERE segment IS NULL;
  CREATE TABLE snapshot (
    bandit INTEGER NOT NULL, part TEXT NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (bandit, part, seq)
  );
  CREATE TABLE key (
    id TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL UNIQUE, role TEXT NOT NULL, scopes TEXT NOT NULL, note TEXT NOT NULL, created_at INTEGER NOT NULL,
    revoked_at INTEGER, last_used TEXT
  );`,
  `
  CREATE TABLE history (
    bandit INTEGER NOT NULL, part TEXT NOT NULL, at INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (bandit, part, at)
  ) WITHOUT ROWID;`,
  // Events of all bandits follow one another in the table, and so do ids of the same time in their index: a commit for many bandits changes few pages. The
  // tree of (bandit, seq) has small entries and is seldom split.
  `
  ALTER TABLE event RENAME TO event_before;
  CREATE TABLE event (
    bandit INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, decision TEXT, origin TEXT, slot INTEGER, segment TEXT, at INTEGER NOT NULL,
    body TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (bandit, seq)
  );
  INSERT INTO event SELECT * FROM event_before;
  DROP TABLE event_before;
  CREATE UNIQUE INDEX event_of_decision ON event (decision, bandit, slot) WHERE decision IS NOT NULL;
  CREATE INDEX event_of_segment ON event (bandit, segment, seq) WHERE segment <> '';
  CREATE INDEX event_of_all_segments ON event (bandit, seq) WHERE segment IS NULL;`,
];

const SCHEMA = "SELECT CAST(json_group_array(json_array(type, sql)) AS BLOB) FROM sqlite_schema WHERE sql IS NOT NULL";

/**
 * What is not as the migrations made it: the constraints that "exactly once" rests on may be gone, and a trigger may change what is written. Null if nothing is.
 * Others may have added indexes of their own.
 */
export function changedSchema(database: Database.Database): string | null {
  const schemaOf = (one: Database.Database) =>
    JSON.parse((one.prepare(SCHEMA).raw().all([]) as [Buffer][])[0]![0].toString()) as [type: string, sql: string][];
  const fresh = new Database(":memory:");
  for (const migration of MIGRATIONS) fresh.exec(migration);
  const expected = schemaOf(fresh);
  fresh.close();
  const found = schemaOf(database);
  const missing = expected.find(([, sql]) => !found.some((one) => one[1] === sql)) ?? found.find(([type]) => type === "trigger");
  return missing === undefined ? null : missing[1].trim();
}

/** Opens the file and brings it to our schema. */
export function openDatabase(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: BUSY_MS });
    const mode = database.prepare("PRAGMA journal_mode = WAL").raw().all([]) as [string][];
    if (mode[0]?.[0] !== "wal") throw storeError(path, "its file system does not allow a write-ahead log; put it on a local disk");
    // Every commit waits for the disk. In WAL mode anything less may lose the last commits when the power fails.
    database.exec("PRAGMA synchronous = FULL");
    // What is erased or pruned must not stay in the free space of a page, nor where a page that was split had it before.
    database.exec("PRAGMA secure_delete = ON");
    migrate(database, path);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof ServiceError) throw error;
    throw storeError(path, `it cannot be opened: ${sqliteReason(error)}`, error);
  }
}

/** Opens a file that this user may not write to. While a server has it open, its write-ahead log is read too; otherwise nothing else writes to it. */
export function openReadable(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = existsSync(`${path}-wal`)
      ? new Database(path, { readonly: true, timeout: BUSY_MS })
      : new Database(`${pathToFileURL(path).href}?immutable=1`, { readonly: true });
    const found = schemaOf(database, path);
    if (found === null) throw storeError(path, "it is empty; name another file");
    if (!isCurrentSchema(found, path)) throw storeError(path, `it has schema ${found}; open it once as a user who may write to it`);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof ServiceError) throw error;
    throw storeError(path, `it cannot be opened: ${sqliteReason(error)}`, error);
  }
}

function migrate(database: Database.Database, path: string): void {
  // Most openings have nothing to do and must not wait for a writer.
  if (isMigrated(database, path)) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated it in the meantime.
    if (!isMigrated(database, path)) {
      const found = schemaOf(database, path);
      for (const migration of MIGRATIONS.slice(found ?? 0)) database.exec(migration);
      if (found === null) {
        database.exec(`CREATE TABLE meta (schema_version INTEGER NOT NULL, secret TEXT NOT NULL, checked_at INTEGER)`);
        database.prepare("INSERT INTO meta VALUES (?, ?, NULL)").run([SCHEMA_VERSION, newSecret()]);
      } else database.prepare("UPDATE meta SET schema_version = ?").run([SCHEMA_VERSION]);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function isMigrated(database: Database.Database, path: string): boolean {
  const found = schemaOf(database, path);
  return found !== null && isCurrentSchema(found, path);
}

/** Null if the file is empty. */
function schemaOf(database: Database.Database, path: string): number | null {
  const tables = "SELECT count(*), total(name IN ('meta', 'bandit')) FROM sqlite_schema WHERE type = 'table'";
  const [[all, ours]] = database.prepare(tables).raw().all([]) as [[number, number]];
  if (all === 0) return null;
  if (ours < 2) throw storeError(path, "it is a database of another program; name another file");
  const rows = database.prepare("SELECT schema_version FROM meta").raw().all([]) as [number][];
  return rows[0]?.[0] ?? 0;
}
