import { connect, createServer, type Socket } from "node:net";
// The built package: threads are started from files.
import { Fleet, startWorker, type WorkerEvent } from "@tsallis/lab/fleet";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../../test/postgres.js";
import { startRedis } from "../../../test/redis.js";
import { until } from "../../../test/until.js";
import { openEngine } from "../src/fleet/queue/engine.js";
import { openQueues } from "../src/fleet/queue/fleetQueues.js";
import { postgresConnection } from "../src/fleet/queue/postgres.js";
import { parseQueueUrl } from "../src/fleet/queue/queueUrl.js";

const SERVERS = { Redis: startRedis, PostgreSQL: startPostgres };
/** Enough for every packet that a start takes from the server. */
const PACKETS = 24;

/**
 * A way to a server that breaks all connections with the n-th packet from the server: once, or for good. Returns the URL of the way.
 */
async function breakingWay(url: string, packets: number, isForGood: boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let left = packets;
  const way = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        for (const other of [client, server]) other.destroy();
      });
    }
    client.on("data", (data) => server.write(data));
    server.on("data", (data) => {
      if (--left !== 0) return client.write(data);
      if (isForGood) way.close();
      for (const socket of [...sockets]) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    way.close();
    for (const socket of sockets) socket.destroy();
  });
  return url.replace(`:${port}`, `:${(way.address() as { port: number }).port}`);
}

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  }, 120_000);
  afterAll(() => server?.stop());

  test("a server that goes away for good, at any packet of a start, is ERR_QUEUE and nothing else", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: PACKETS }, async (_, i) => {
        const url = await breakingWay(server.url, i + 1, true);
        try {
          const fleet = await Fleet.open(url);
          try {
            await fleet.read();
          } finally {
            await fleet.close();
          }
          return "there";
        } catch (error) {
          return (error as { code?: string }).code;
        }
      }),
    );
    expect(new Set(outcomes.slice(0, 4))).toEqual(new Set(["ERR_QUEUE"]));
    expect(outcomes.filter((outcome) => outcome !== "ERR_QUEUE" && outcome !== "there")).toEqual([]);
  });

  test("a worker whose server goes away for a moment, at any packet of its start, gets ready all the same", async () => {
    for (const packets of [1, 2, 3, 5, 8, 11, 14, 17]) {
      const url = await breakingWay(server.url, packets, false);
      const events: WorkerEvent[] = [];
      const worker = await startWorker(url, { concurrency: 1, imports: [], patience: 60, onEvent: (event) => events.push(event) });
      expect(events.map(({ event }) => event)).toContain("ready");
      await worker.stop();
    }
  });
});

describe("PostgreSQL", () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server?.stop());

  /** A session in a transaction that holds the lock of BullMQ's migrations, as a process has that was stopped in the middle of one. */
  async function stoppedMigration(url: string, config: pg.ClientConfig): Promise<pg.Client> {
    const { MIGRATION_ADVISORY_LOCK_KEY, DEFAULT_SCHEMA } = await import("bullmq");
    const client = new pg.Client({ connectionString: url, ...config });
    client.on("error", () => {});
    onTestFinished(() => client.end().catch(() => {}));
    await client.connect();
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [MIGRATION_ADVISORY_LOCK_KEY, DEFAULT_SCHEMA]);
    return client;
  }

  async function fresh(name: string): Promise<string> {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return server.url.replace(/[^/]*$/, name);
  }

  test("with its tables in place, a start takes no lock: a stopped process keeps nobody out", async () => {
    const url = await fresh("there");
    await (await Fleet.open(url)).close();
    await stoppedMigration(url, {});
    const fleet = await Fleet.open(url);
    expect(await fleet.read()).toMatchObject({ queued: 0 });
    await fleet.close();
  });

  test("without its tables, whoever starts gets them as soon as the server has ended the session of a stopped process", async () => {
    const url = await fresh("missing");
    await stoppedMigration(url, postgresConnection(url, 5000));
    await expect(Fleet.open(url)).rejects.toMatchObject({ code: "ERR_QUEUE", message: expect.stringContaining("lock timeout") });
    const events: WorkerEvent[] = [];
    const worker = await startWorker(url, { concurrency: 1, imports: [], patience: 60, onEvent: (event) => events.push(event) });
    expect(events.map(({ event }) => event)).toContain("ready");
    await worker.stop();
  });

  test("every session of ours is ended by the server if it idles in a transaction", async () => {
    const url = await fresh("idle");
    const queues = await openQueues(await openEngine(parseQueueUrl(url)));
    onTestFinished(() => queues.close());
    const backend = queues.chunks.getBackend() as unknown as { connection: { pool: pg.Pool } };
    const { rows } = await backend.connection.pool.query("SHOW idle_in_transaction_session_timeout");
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "10s" }]);
  });

  test("tables that are behind are brought up to date", async () => {
    const url = await fresh("behind");
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    // As far as a migration gets before its first step.
    await client.query("CREATE SCHEMA bullmq");
    await client.query(
      "CREATE TABLE bullmq.migration (version integer PRIMARY KEY, name text NOT NULL, min_client_version integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const fleet = await Fleet.open(url);
    expect(await fleet.read()).toMatchObject({ queued: 0 });
    await fleet.close();
    await until(
      "all sessions are gone",
      async () => (await client.query("SELECT 1 FROM pg_stat_activity WHERE datname = 'behind'")).rows.length === 1,
    );
  });
});
