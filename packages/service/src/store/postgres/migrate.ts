import type { ClientBase } from "pg";
import { requireKnownSchema, SCHEMA_VERSION } from "../schemaVersion.js";
import { MIGRATIONS } from "./migrations.js";

/** Any number that nobody else uses: whoever opens the database takes turns under it. */
const LOCK = 7_411_202_611;

/** Brings a database to our schema. */
export async function migrate(client: ClientBase, shown: string): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const version = await versionOf(client);
    requireKnownSchema(version, shown);
    if (version < SCHEMA_VERSION) {
      for (const migration of MIGRATIONS.slice(version)) await client.query(migration);
      if (version === 0) await client.query("CREATE TABLE meta (schema_version integer NOT NULL); INSERT INTO meta VALUES (0)");
      await client.query("UPDATE meta SET schema_version = $1", [SCHEMA_VERSION]);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** The schema of a database; 0 if it has none of our tables. */
async function versionOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass('meta') IS NOT NULL AS known");
  if (!rows[0].known) return 0;
  return (await client.query("SELECT schema_version FROM meta")).rows[0]?.schema_version ?? 0;
}
