import type { BackendFactory, ConnectionOptions, Processor, Queue, Worker, WorkerOptions } from "bullmq";
import { LabError } from "../../labError.js";
import { CHUNKS } from "./queueNames.js";
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
  /** Opens the queue of that name. */
  queue<Data, Result>(name: string): Queue<Data, Result>;
  /** Starts a worker of the queue of that name. */
  worker<Data, Result>(
    name: string,
    processor: Processor<Data, Result>,
    options: Omit<WorkerOptions, "connection">,
    onError: (error: Error) => void,
  ): Worker<Data, Result>;
}

/** Loads BullMQ and the driver, and checks that the server answers. */
export async function openEngine(queueUrl: QueueUrl): Promise<Engine> {
  const { engine: kind, url } = queueUrl;
  const driver = kind === "redis" ? "ioredis" : "pg";
  const bullmq = await loaded("bullmq", driver, () => import("bullmq"));
  await loaded(driver, driver, (): Promise<unknown> => (kind === "redis" ? import("ioredis") : import("pg")));
  let abandoned = false;
  // Both connections use BullMQ's Redis types: the classes accept either, and one type keeps the rest simple.
  const connection = (kind === "redis" ? redisConnection(url, () => abandoned) : postgresConnection(url)) as ConnectionOptions;
  const backend = (kind === "redis" ? undefined : bullmq.createPostgresBackend) as unknown as undefined | BackendFactory<never>;
  const engine: Engine = {
    bullmq,
    abandon() {
      abandoned = true;
    },
    queue<Data, Result>(name: string) {
      // A call fails while the server is away, and the caller decides what to do. Workers wait for the server instead, as BullMQ intends.
      const queue = new bullmq.Queue<Data, Result>(
        name,
        { connection: { ...connection, maxRetriesPerRequest: 1 }, streams: { events: { maxLen: EVENTS } } },
        backend as undefined,
      );
      // Every call receives its own error; without a listener these events would end the process.
      queue.on("error", () => {});
      return queue;
    },
    worker(name, processor, options, onError) {
      const worker = new bullmq.Worker(name, processor, { ...options, connection }, backend as undefined);
      worker.on("error", onError);
      return worker;
    },
  };
  await requireAnswer(engine, queueUrl);
  return engine;
}

function redisConnection(url: string, isAbandoned: () => boolean) {
  const retryStrategy = (times: number) => (isAbandoned() ? null : Math.min(200 * times, RECONNECT_MS));
  return { url, maxRetriesPerRequest: null, connectTimeout: PATIENCE_MS, retryStrategy };
}

function postgresConnection(connectionString: string) {
  // A server allows about a hundred connections, and every machine of the fleet uses some.
  return { connectionString, migrate: true, max: 2, connectionTimeoutMillis: PATIENCE_MS };
}

async function loaded<T>(name: string, driver: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).endsWith("MODULE_NOT_FOUND")) throw error;
    throw new LabError("ERR_PACKAGE", `a queue needs the package ${name}, which is not installed; run: npm install bullmq ${driver}`);
  }
}

async function requireAnswer(engine: Engine, { shown, scrub }: QueueUrl): Promise<void> {
  const queue = engine.queue(CHUNKS);
  let last: Error | undefined;
  const refused = new Promise<never>((_, reject) => {
    queue.on("error", (error) => {
      last = error;
      if (isRefusal(error)) reject(error);
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(last ?? new Error(`no answer for ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    await Promise.race([queue.getJobCounts("waiting"), refused, late]);
    await queue.close();
  } catch (error) {
    engine.abandon();
    // Not awaited, because it may wait for a server that is not there.
    queue.disconnect().catch(() => {});
    throw unusable(shown, scrub(reasonOf(error)));
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the server answered with a refusal. */
function isRefusal(error: Error): boolean {
  return /WRONGPASS|NOAUTH|NOPERM|invalid password|version needs/i.test(error.message);
}

/** The message of a driver's error; some errors combine several without a message of their own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join(", ");
  const message = error instanceof Error ? error.message : String(error);
  // This message of ioredis explains an option of ioredis, not the problem.
  return message.startsWith("Reached the max retries") ? "no connection" : message;
}

export function unusable(shown: string, reason: string): LabError {
  return new LabError(
    "ERR_QUEUE",
    `the queue at ${shown} cannot be used: ${reason.replace(/\.$/, "")}; check that the server runs there and takes these credentials`,
  );
}
