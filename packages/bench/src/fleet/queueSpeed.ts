import { randomBytes } from "node:crypto";
import { abortable, type Engine, openEngine, parseQueueUrl, within } from "@tsallis/lab/fleet";

/** The jobs per second that a queue can take when the jobs need no work. */
export interface QueueSpeed {
  /** Put into the queue, many at a time. */
  readonly added: number;
  /** Taken and finished by the one worker. */
  readonly played: number;
  /** Fetched and removed, one after the other. */
  readonly fetched: number;
}

export interface QueueLoad {
  readonly jobs: number;
  /** What each job returns, in bytes. */
  readonly bytes: number;
}

/** How many jobs are added in one call, and how many are played at once. */
const BULK = 500;
const CONCURRENCY = 16;
/** How long the engine may take to close. */
const LETTING_GO_MS = 5000;

/** Measures a queue through BullMQ as a fleet uses it. The jobs are in a separate queue, which is removed afterwards. */
export async function queueSpeed(url: string, { jobs, bytes }: QueueLoad, signal: AbortSignal): Promise<QueueSpeed> {
  const engine = await openEngine(parseQueueUrl(url));
  const name = `speed-${randomBytes(4).toString("hex")}`;
  const queue = await engine.queue<object, string>(name);
  const ids = Array.from({ length: jobs }, (_, i) => `job-${i}`);
  const result = "x".repeat(bytes);
  try {
    const added = await rate(jobs, async () => {
      for (let i = 0; i < jobs; i += BULK) {
        signal.throwIfAborted();
        await queue.addBulk(ids.slice(i, i + BULK).map((jobId) => ({ name: "nothing", data: {}, opts: { jobId } })));
      }
    });
    const played = await rate(jobs, () => play(engine, name, jobs, result, signal));
    const fetched = await rate(jobs, async () => {
      for (const id of ids) {
        signal.throwIfAborted();
        await queue.getJob(id);
        await queue.remove(id);
      }
    });
    await queue.obliterate({ force: true });
    return { added, played, fetched };
  } catch (error) {
    // The first error is the one that counts.
    await queue.obliterate({ force: true }).catch(() => {});
    throw error;
  } finally {
    if (!(await within(queue.close(), LETTING_GO_MS))) engine.abandon();
  }
}

/** Lets one worker take and finish all jobs. */
async function play(engine: Engine, name: string, jobs: number, result: string, signal: AbortSignal): Promise<void> {
  let fail = (_: Error) => {};
  const worker = engine.worker<object, string>(
    name,
    async () => result,
    { concurrency: CONCURRENCY },
    (error) => fail(error),
  );
  const all = new Promise<void>((resolve, reject) => {
    fail = reject;
    let left = jobs;
    worker.on("completed", () => {
      if (--left === 0) resolve();
    });
  });
  try {
    await abortable(all, signal);
  } finally {
    if (!(await within(worker.close(), LETTING_GO_MS))) {
      engine.abandon();
      worker.disconnect().catch(() => {});
    }
  }
}

/** Jobs per second. */
async function rate(jobs: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (1000 * jobs) / (performance.now() - start);
}
