import { Redis } from "ioredis";
import pg from "pg";
import { startPostgres } from "../../../test/postgres.js";
import { startRedis } from "../../../test/redis.js";

/** A server that can hold queues and keeps those of different tests apart. */
export interface Store {
  /** The URL of an empty part of it. */
  fresh(): Promise<string>;
  /** Everything in it that belongs to jobs, without what BullMQ keeps for a queue itself. */
  leftovers(url: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** The keys that BullMQ keeps for a queue without jobs. */
const OWN_KEYS = /^bull:[^:]+:(?:meta|events|id|marker|stalled-check)$/;

async function redisStore(): Promise<Store> {
  const server = await startRedis();
  let databases = 0;
  return {
    fresh: async () => `${server.url}/${databases++}`,
    leftovers: (url) => redisLeftovers(url),
    stop: () => server.stop(),
  };
}

export async function redisLeftovers(url: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    return (await redis.keys("*")).filter((key) => !OWN_KEYS.test(key)).sort();
  } finally {
    redis.disconnect();
  }
}

async function postgresStore(): Promise<Store> {
  const server = await startPostgres();
  let databases = 0;
  return {
    async fresh() {
      const name = `fleet${databases++}`;
      await query(server.url, `CREATE DATABASE ${name}`);
      return server.url.replace(/[^/]*$/, name);
    },
    async leftovers(url) {
      const rows = await query(url, "SELECT queue, id, state FROM bullmq.job");
      return rows.map(({ queue, id, state }) => `${queue} ${id} ${state}`).sort();
    },
    stop: () => server.stop(),
  };
}

async function query(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(text)).rows;
  } finally {
    await client.end();
  }
}

export const STORES: Readonly<Record<string, () => Promise<Store>>> = { Redis: redisStore, PostgreSQL: postgresStore };
