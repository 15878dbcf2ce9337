import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { Progress } from "../progress.js";
import type { FuzzAnswer } from "./fuzzThread.js";
import type { FuzzRun, FuzzTask } from "./playFuzz.js";

/** How many worlds a thread plays between two messages. */
const AT_ONCE = 10;

/** Plays tasks in threads, one per core, and returns the runs of each task in the order of its worlds. */
export async function fuzzThreads(tasks: readonly FuzzTask[], signal: AbortSignal): Promise<FuzzRun[][]> {
  const parts = tasks.flatMap((task, t) => split(task).map((part) => ({ t, part })));
  const threads = Array.from(
    { length: Math.min(availableParallelism(), parts.length) },
    () => new Worker(new URL("./fuzzThread.js", import.meta.url)),
  );
  const runs = tasks.map((): FuzzRun[] => []);
  const progress = new Progress("random worlds", parts.length);
  const waiting = parts.values();
  try {
    await Promise.all(
      threads.map(async (thread) => {
        for (const { t, part } of waiting) {
          thread.postMessage(part);
          const [answer] = (await once(thread, "message", { signal })) as [FuzzAnswer];
          if ("code" in answer) throw new Failure(answer.code, answer.message);
          runs[t]!.push(...answer.runs);
          progress.step();
        }
      }),
    );
  } finally {
    progress.stop();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  return runs.map((each) => each.sort((a, b) => a.world - b.world));
}

function split(task: FuzzTask): FuzzTask[] {
  return Array.from({ length: Math.ceil(task.worlds / AT_ONCE) }, (_, i) => ({
    ...task,
    first: task.first + i * AT_ONCE,
    worlds: Math.min(AT_ONCE, task.worlds - i * AT_ONCE),
  }));
}
