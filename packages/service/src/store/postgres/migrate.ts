import type { ClientBase } from "pg";
import { isCurrentSchema, newSecret, SCHEMA_VERSION } from "../storeError.js";

/**
 * What creates our tables, one entry for each schema; never changed once released. `event_of_decision` is what "exactly once" rests on. Texts that are indexed
 * are compared by their bytes: an index by the rules of a language breaks when the system's library changes these.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE bandit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, document text NOT NULL, version text NOT NULL,
    bits text NOT NULL, created_at bigint NOT NULL, genesis text NOT NULL, seq bigint NOT NULL DEFAULT 0, pruned_seq bigint NOT NULL DEFAULT 0,
    pruned_hash text NOT NULL DEFAULT '', deleted_at bigint
  );
  CREATE TABLE event (
    bandit bigint NOT NULL, seq bigint NOT NULL, kind text NOT NULL, decision text COLLATE "C", origin text, slot smallint,
    segment text COLLATE "C", at bigint NOT NULL, body text NOT NULL, hash text NOT NULL, PRIMARY KEY (bandit, seq)
  );
  CREATE UNIQUE INDEX event_of_decision ON event (bandit, decision, slot) WHERE decision IS NOT NULL;
  CREATE INDEX event_of_segment ON event (bandit, segment, seq) WHERE segment <> '';
  CREATE INDEX event_of_all_segments ON event (bandit, seq) WHERE segment IS NULL;
  CREATE TABLE snapshot (
    bandit bigint NOT NULL, part text COLLATE "C" NOT NULL, seq bigint NOT NULL, body text NOT NULL, PRIMARY KEY (bandit, part, seq)
  );
  CREATE TABLE key (
    id text COLLATE "C" NOT NULL PRIMARY KEY, hash text COLLATE "C" NOT NULL UNIQUE, role text NOT NULL, scopes text NOT NULL, note text NOT NULL,
    created_at bigint NOT NULL, revoked_at bigint, last_used text
  );`,
  `
  CREATE TABLE history (
    bandit bigint NOT NULL, part text COLLATE "C" NOT NULL, at bigint NOT NULL, seq bigint NOT NULL, body text NOT NULL, PRIMARY KEY (bandit, part, at)
  );`,
  // Ids of the same time are neighbours, whichever bandit they belong to: what is written at the same time is in few pages of the index.
  `
  DROP INDEX event_of_decision;
  CREATE UNIQUE INDEX event_of_decision ON event (decision, bandit, slot) WHERE decision IS NOT NULL;`,
];

/** Any number that no other program uses: those who open the database take turns under it. */
const LOCK = 7_411_202_611;

/** Brings a database to our schema. */
export async function migrate(client: ClientBase, shown: string): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const { rows } = await client.query("SELECT to_regclass('meta') IS NOT NULL AS known");
    if (rows[0].known) {
      const found: number = (await client.query("SELECT schema_version FROM meta")).rows[0]?.schema_version ?? 0;
      if (!isCurrentSchema(found, shown)) {
        for (const migration of MIGRATIONS.slice(found)) await client.query(migration);
        await client.query("UPDATE meta SET schema_version = $1", [SCHEMA_VERSION]);
      }
    } else {
      for (const migration of MIGRATIONS) await client.query(migration);
      await client.query("CREATE TABLE meta (schema_version integer NOT NULL, secret text NOT NULL, checked_at bigint)");
      await client.query("INSERT INTO meta VALUES ($1, $2)", [SCHEMA_VERSION, newSecret()]);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
