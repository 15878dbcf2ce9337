import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { CallTask } from "./callTimer.js";
import { quantile } from "./quantile.js";
import type { RoundTask } from "./roundTimer.js";

/** What is timed, and the row it belongs to. */
export interface Cell {
  readonly row: string;
  readonly task: RoundTask | CallTask;
}

/**
 * The median time of each cell, in nanoseconds. After one warm-up all cells are timed in turn, again and again, each time beginning with
 * another, so that a slow spell of the machine falls on all alike.
 *
 * Each row has a thread of its own, and one thread works at a time. The policies share code; in one thread V8 would compile it for all
 * of them at once, and HTINF at K = 2 takes about twice as long beside the others as it does alone, which is how people run it.
 */
export async function medianTimes(cells: readonly Cell[], repetitions: number, signal: AbortSignal, step: () => void): Promise<number[]> {
  const threads = new Map([...new Set(cells.map(({ row }) => row))].map((row) => [row, new Worker(new URL("./timerThread.js", import.meta.url))]));
  const times: number[][] = cells.map(() => []);
  try {
    for (let repetition = -1; repetition < repetitions; repetition++) {
      for (let i = 0; i < cells.length; i++) {
        const index = (i + repetition + 1) % cells.length;
        const { row, task } = cells[index]!;
        const thread = threads.get(row)!;
        thread.postMessage(task);
        const [time] = (await once(thread, "message", { signal })) as [number];
        if (repetition >= 0) times[index]!.push(time);
        step();
      }
    }
  } finally {
    await Promise.all([...threads.values()].map((thread) => thread.terminate()));
  }
  return times.map((list) => quantile(list, 0.5));
}
