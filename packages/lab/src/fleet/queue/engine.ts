import type { BackendFactory, ConnectionOptions, Processor, Queue, Worker, WorkerOptions } from "bullmq";
import { LabError } from "../../labError.js";
import { postgresBackend, postgresConnection, prepareSchema } from "./postgres.js";
import { unusable } from "./queueError.js";
import type { QueueUrl } from "./queueUrl.js";

/** How long a server may take to answer when a command begins. */
const PATIENCE_MS = 5000;
/** The longest pause between two attempts to reach a server that went away. */
const RECONNECT_MS = 2000;
/** BullMQ copies the result of every chunk into its stream of events, which nothing here reads, so the stream is kept short. */
const EVENTS = 16;

/** BullMQ on the engine that a URL names. Callers close what they open. */
export interface Engine {
  readonly bullmq: typeof import("bullmq");
  /** Stops the attempts to reach the server, which would keep the process alive. */
  abandon(): void;
  /** Opens the queue of that name, and waits until its server answers; ERR_QUEUE if it does not. */
  queue<Data, Result>(name: string): Promise<Queue<Data, Result>>;
  /** Starts a worker of the queue of that name. */
  worker<Data, Result>(
    name: string,
    processor: Processor<Data, Result>,
    options: Omit<WorkerOptions, "connection">,
    onError: (error: Error) => void,
  ): Worker<Data, Result>;
}

/** Loads BullMQ and the driver; on PostgreSQL, makes BullMQ's tables if they are missing. */
export async function openEngine(queueUrl: QueueUrl): Promise<Engine> {
  const { engine: kind, url } = queueUrl;
  const driver = kind === "redis" ? "ioredis" : "pg";
  const bullmq = await loaded("bullmq", driver, () => import("bullmq"));
  let abandoned = false;
  let connection: object;
  let backend: BackendFactory<never> | undefined;
  if (kind === "redis") {
    await loaded(driver, driver, () => import("ioredis"));
    connection = redisConnection(url, () => abandoned);
  } else {
    const pg = await loaded(driver, driver, () => import("pg"));
    connection = postgresConnection(url, PATIENCE_MS);
    backend = postgresBackend(bullmq) as unknown as BackendFactory<never>;
    await prepareSchema(bullmq, pg.default, connection, PATIENCE_MS).catch((error: unknown) => {
      throw unusable(queueUrl, error);
    });
  }
  const engine: Engine = {
    bullmq,
    abandon() {
      abandoned = true;
    },
    async queue<Data, Result>(name: string) {
      // A call fails while the server is away, and the caller decides what to do. Workers wait for the server instead, as BullMQ intends.
      const queue = new bullmq.Queue<Data, Result>(
        name,
        // Both connections use BullMQ's Redis types: the classes accept either, and one type keeps the rest simple.
        { connection: { ...connection, maxRetriesPerRequest: 1 } as ConnectionOptions, streams: { events: { maxLen: EVENTS } } },
        backend as undefined,
      );
      await requireAnswer(queue as Queue, engine, queueUrl);
      return queue;
    },
    worker(name, processor, options, onError) {
      const worker = new bullmq.Worker(name, processor, { ...options, connection: connection as ConnectionOptions }, backend as undefined);
      worker.on("error", onError);
      return worker;
    },
  };
  return engine;
}

function redisConnection(url: string, isAbandoned: () => boolean) {
  const retryStrategy = (times: number) => (isAbandoned() ? null : Math.min(200 * times, RECONNECT_MS));
  return { url, maxRetriesPerRequest: null, connectTimeout: PATIENCE_MS, retryStrategy };
}

async function loaded<T>(name: string, driver: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).endsWith("MODULE_NOT_FOUND")) throw error;
    throw new LabError("ERR_PACKAGE", `a queue needs the package ${name}, which is not installed; run: npm install bullmq ${driver}`);
  }
}

async function requireAnswer(queue: Queue, engine: Engine, queueUrl: QueueUrl): Promise<void> {
  let last: Error | undefined;
  const refused = new Promise<never>((_, reject) => {
    // Every later call receives its own error; without a listener these events would end the process.
    queue.on("error", (error) => {
      last = error;
      if (unusable(queueUrl, error).isFinal) reject(error);
    });
  });
  // It may come after the race is over.
  refused.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(last ?? new Error(`no answer for ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    // On Redis this is a script, as most of what follows is, which a user may not be allowed to run.
    await Promise.race([queue.getRanges(["wait"], 0, 0), refused, late]);
  } catch (error) {
    engine.abandon();
    // Not awaited, because it may wait for a server that is not there.
    queue.disconnect().catch(() => {});
    throw unusable(queueUrl, error);
  } finally {
    clearTimeout(timer);
  }
}
