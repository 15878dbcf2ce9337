import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect as connectTo } from "node:net";
import { Redis } from "ioredis";
import pg from "pg";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as parts from "../scripts/parts.mjs";
import { startPostgres } from "./postgres.js";
import { startRedis } from "./redis.js";

vi.mock("../scripts/parts.mjs", { spy: true });
afterEach(() => vi.restoreAllMocks());

/** Asks one thing over a separate connection. */
async function ask<Answer>(url: string, question: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe("the servers of the tests", () => {
  it("a Redis with its append-only file on keeps what it acknowledged over a kill -9; one without keeps nothing", async () => {
    for (const appendOnly of [true, false]) {
      const server = await startRedis({ appendOnly });
      onTestFinished(() => server.stop());
      await ask(server.url, (redis) => redis.set("a", "1"));
      const { pid } = server;
      await server.restart();
      expect(server.pid).not.toBe(pid);
      expect(await ask(server.url, (redis) => redis.get("a"))).toBe(appendOnly ? "1" : null);
      await server.kill();
      await expect(ask(server.url, (redis) => redis.ping())).rejects.toThrow();
      await server.stop();
    }
  });

  it("both ask for the password", async () => {
    const password = "p@ss/word:1";
    const redis = await startRedis({ password });
    onTestFinished(() => redis.stop());
    expect(await ask(redis.url, (client) => client.ping())).toBe("PONG");
    const socket = connectTo(Number(new URL(redis.url).port), "127.0.0.1").setEncoding("utf8");
    socket.write("PING\r\n");
    expect(await once(socket, "data")).toEqual([expect.stringMatching(/^-NOAUTH /)]);
    socket.destroy();

    const postgres = await startPostgres({ password });
    onTestFinished(() => postgres.stop());
    const connect = async (url: string) => {
      const client = new pg.Client(url);
      await client.connect();
      await client.end();
    };
    await connect(postgres.url);
    await expect(connect(postgres.url.replace(/:[^:]*@/, ":wrong@"))).rejects.toThrow("password authentication failed");
    await postgres.stop();
    await expect(connect(postgres.url)).rejects.toThrow("ECONNREFUSED");
    if (process.platform === "linux") expect([redis.pid, postgres.pid].map(isAlive)).toEqual([true, false]);
  });

  it("a missing program fails with the remedy", async () => {
    vi.mocked(parts.redisServer).mockReturnValue(undefined);
    vi.mocked(parts.postgresFolder).mockReturnValue(undefined);
    await expect(startRedis()).rejects.toThrow("Redis is missing: run `npm test`, which installs it or says how");
    await expect(startPostgres()).rejects.toThrow("PostgreSQL is missing: run `npm test`, which installs it or says how");
  });
});
