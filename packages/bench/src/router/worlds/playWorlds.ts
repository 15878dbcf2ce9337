import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Progress } from "../../progress.js";
import type { WorldResult, WorldTask } from "./playWorld.js";

/** Plays worlds in threads, one per core, and returns the results in the order of the tasks. */
export async function playWorlds(tasks: readonly WorldTask[], signal: AbortSignal): Promise<WorldResult[]> {
  const threads = Array.from(
    { length: Math.min(availableParallelism(), tasks.length) },
    () => new Worker(new URL("./worldThread.js", import.meta.url)),
  );
  const results: WorldResult[] = [];
  const progress = new Progress("rules in simulated time", tasks.length);
  const waiting = tasks.entries();
  try {
    await Promise.all(
      threads.map(async (thread) => {
        for (const [i, task] of waiting) {
          thread.postMessage(task);
          [results[i]] = (await once(thread, "message", { signal })) as [WorldResult];
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
