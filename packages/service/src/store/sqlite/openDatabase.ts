import Database from "libsql";
import { ServiceError } from "../../serviceError.js";
import { requireKnownSchema, SCHEMA_VERSION } from "../schemaVersion.js";
import { storeError } from "../storeError.js";
import { MIGRATIONS } from "./migrations.js";
import { sqliteReason } from "./sqliteReason.js";

/** How long a call waits while another process writes to the same file. */
const BUSY_MS = 5000;

/** Opens the file and brings it to our schema. */
export function openDatabase(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: BUSY_MS });
    const mode = database.prepare("PRAGMA journal_mode = WAL").raw().all([]) as [string][];
    if (mode[0]?.[0] !== "wal") throw storeError(path, "its file system does not allow a write-ahead log; put it on a local disk");
    // Every commit waits for the disk. In WAL mode anything less may lose the last commits when the power fails.
    database.exec("PRAGMA synchronous = FULL");
    migrate(database, path);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof ServiceError) throw error;
    throw storeError(path, `it cannot be opened: ${sqliteReason(error)}`, error);
  }
}

function migrate(database: Database.Database, path: string): void {
  // Most openings have nothing to do and must not wait for whoever writes.
  if (versionOf(database, path) === SCHEMA_VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Somebody else may have migrated it in the meantime.
    const version = versionOf(database, path);
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    if (version === 0) database.exec("CREATE TABLE meta (schema_version INTEGER NOT NULL); INSERT INTO meta VALUES (0)");
    database.prepare("UPDATE meta SET schema_version = ?").run([SCHEMA_VERSION]);
    database.exec("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** The schema of a file; 0 if it is empty. */
function versionOf(database: Database.Database, path: string): number {
  const tables = "SELECT count(*), total(name IN ('meta', 'bandit')) FROM sqlite_schema WHERE type = 'table'";
  const [[all, ours]] = database.prepare(tables).raw().all([]) as [[number, number]];
  if (all === 0) return 0;
  if (ours < 2) throw storeError(path, "it is a database of another program; name another file");
  const rows = database.prepare("SELECT schema_version FROM meta").raw().all([]) as [number][];
  const version = rows[0]?.[0] ?? 0;
  requireKnownSchema(version, path);
  return version;
}
