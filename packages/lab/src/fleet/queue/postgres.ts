import type { createPostgresBackend } from "bullmq";
import type pg from "pg";

type Bullmq = typeof import("bullmq");

/**
 * PostgreSQL ends a session that has done nothing for this long inside a transaction: a process that was stopped there, perhaps with the lock of a
 * migration, must not keep the others out.
 */
const IDLE_MS = 10_000;
/** How long a statement of a migration may take. */
const STATEMENT_MS = 60_000;

/** The connections of one queue or worker. Tables are made by prepareSchema, so that a start needs neither the lock nor the rights of a migration. */
export function postgresConnection(connectionString: string, patienceMs: number) {
  // A server allows about a hundred connections, and every machine of the fleet uses some.
  return { connectionString, migrate: false, max: 2, connectionTimeoutMillis: patienceMs, idle_in_transaction_session_timeout: IDLE_MS };
}

/** BullMQ's backend, with a listener for the errors of each connection: one that is in use when the server goes away would end the process. */
export function postgresBackend(bullmq: Bullmq): typeof createPostgresBackend {
  return (...args) => {
    const backend = bullmq.createPostgresBackend(...args);
    backend.connection.pool.on("connect", (client) => {
      client.on("error", () => {});
    });
    return backend;
  };
}

/** Makes BullMQ's tables, or brings them up to date, if they are missing or old. Otherwise it reads one row, and takes no lock. */
export async function prepareSchema(bullmq: Bullmq, { Client }: typeof pg, connection: pg.ClientConfig, patienceMs: number): Promise<void> {
  const client = new Client({ ...connection, query_timeout: STATEMENT_MS, lock_timeout: patienceMs });
  // Calls receive their own errors.
  client.on("error", () => {});
  try {
    await client.connect();
    if ((await schemaVersion(bullmq, client)) < bullmq.LATEST_SCHEMA_VERSION) await bullmq.runMigrations(client);
  } finally {
    // Not awaited, because it may wait for a server that does not answer.
    client.end().catch(() => {});
  }
}

/** 0 if there are no tables. */
async function schemaVersion(bullmq: Bullmq, client: pg.Client): Promise<number> {
  try {
    return await bullmq.assertSchemaCompatibility(client);
  } catch (error) {
    if (error instanceof bullmq.SchemaMigrationRequiredError) return 0;
    throw error;
  }
}
