import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Progress } from "./progress.js";

/** Hands tasks to threads, one per core, that answer each message with its result, and returns the results in the order of the tasks. `label` says what the progress is of. */
export async function inThreads<Task, Result>(file: URL, label: string, tasks: readonly Task[], signal: AbortSignal): Promise<Result[]> {
  const threads = Array.from({ length: Math.min(availableParallelism(), tasks.length) }, () => new Worker(file));
  const results: Result[] = [];
  const progress = new Progress(label, tasks.length);
  const waiting = tasks.entries();
  try {
    await Promise.all(
      threads.map(async (thread) => {
        for (const [i, task] of waiting) {
          thread.postMessage(task);
          [results[i]] = (await once(thread, "message", { signal })) as [Result];
          progress.step();
        }
      }),
    );
  } finally {
    progress.stop();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  return results;
}
