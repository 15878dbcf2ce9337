import type { ClientBase, Pool } from "pg";
import { ServiceError } from "../../serviceError.js";
import type { Store } from "../store.js";
import { storeError } from "../storeError.js";
import { postgresReason } from "./ask.js";
import { migrate } from "./migrate.js";
import { postgresAddress } from "./postgresAddress.js";
import { PostgresStore } from "./postgresStore.js";

const CONNECT_MS = 5000;
const STATEMENT_MS = 10_000;
/** After which a server that fell silent is given up. It is longer than the server's own limit, so that a slow statement ends there and the connection stays. */
const SILENCE_MS = 15_000;
/** A server allows about a hundred connections, and every machine uses some. */
const CONNECTIONS = 10;

/**
 * All our statements walk along indexes. Without statistics, as in the first minutes of a large log, the planner would at times read whole tables instead, or
 * spend longer on compiling a statement than on running it.
 */
const PLANS = "-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off";

/** Wrong names and passwords, a database that is not there: nothing that waiting would mend. */
const MISTAKEN = /^28|^3D/;

/** A database or a user may be set up so that commits do not wait for the disk. Ours must: they are answered. */
const DURABLE = "-c synchronous_commit=on";

/** The type int8. Ours are sequence numbers and milliseconds, which a double holds exactly; by default the driver gives texts. */
const INT8 = 20;

export async function openPostgres(url: string): Promise<Store> {
  const { default: pg } = await loaded();
  const address = postgresAddress(url);
  if (!URL.canParse(url)) {
    const message =
      "the URL of the store cannot be read; write it like postgres://user:password@host:5432/database, with / @ : # % in a password as %2F %40 %3A %23 %25";
    throw new ServiceError("ERR_STORE", message, { parameter: "store" });
  }
  let pool: Pool | undefined;
  try {
    const getTypeParser = ((type: number, format: "text") =>
      type === INT8 ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;
    pool = new pg.Pool({
      connectionString: withSettings(url),
      application_name: "tsallis",
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: SILENCE_MS,
      keepAlive: true,
      types: { getTypeParser },
    });
    // Every call gets its own error. Without these listeners a connection that is lost between two calls would end the process.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    const client = await pool.connect();
    try {
      await requireUnicode(client, address.shown);
      await migrate(client, address.shown);
    } finally {
      client.release();
    }
    return new PostgresStore(pool, address);
  } catch (error) {
    await pool?.end().catch(() => {});
    if (error instanceof ServiceError) throw error;
    const reason = address.scrub(postgresReason(error));
    if (MISTAKEN.test(String((error as { code?: unknown }).code)))
      throw new ServiceError("ERR_STORE", `${address.shown} refuses: ${reason}; check the URL of the store`, { parameter: "store" });
    throw storeError(address.shown, `it cannot be opened: ${reason}`);
  }
}

/** Segments are any text, and another encoding has no place for most of it. */
async function requireUnicode(client: ClientBase, shown: string): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const encoding = rows[0]!.server_encoding;
  if (encoding === "UTF8") return;
  const message = `${shown} has the encoding ${encoding}, and the service needs UTF8; create another database: CREATE DATABASE tsallis ENCODING 'UTF8' TEMPLATE template0`;
  throw new ServiceError("ERR_STORE", message, { parameter: "store" });
}

/** Adds our settings to those of the URL or the environment. Of two that contradict each other, the last wins. */
function withSettings(url: string): string {
  const parsed = new URL(url);
  const theirs = parsed.searchParams.get("options") ?? process.env.PGOPTIONS ?? "";
  parsed.searchParams.set("options", [PLANS, theirs, DURABLE].join(" "));
  return parsed.href;
}

async function loaded(): Promise<typeof import("pg")> {
  try {
    return await import("pg");
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).endsWith("MODULE_NOT_FOUND")) throw error;
    throw new ServiceError("ERR_PACKAGE", "a store in PostgreSQL needs the package pg, which is not installed; run: npm install pg");
  }
}
