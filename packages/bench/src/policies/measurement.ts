import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { quantile } from "tsallis/statistics";
import type { CallTask } from "./callTimer.js";
import type { Growth, GrowthTask } from "./growthTimer.js";
import type { Midway, MidwayTask } from "./midway.js";
import type { RoundTask } from "./roundTimer.js";
import type { YardstickTask } from "./yardstick.js";

/** What is timed, the row it belongs to, and how often: in every repetition, or in every third. */
export interface Cell {
  readonly row: string;
  readonly every: 1 | 3;
  readonly task: RoundTask | CallTask | YardstickTask;
}

/** What a cell's thread answers. */
export interface Timing {
  /** Nanoseconds per round or call. */
  readonly time: number;
  /** The kernel in use, if there is one. */
  readonly kernel: string | null;
  /** Milliseconds of construction and the first choose, which are not part of `time`. */
  readonly buildMs: number | null;
}

/** The share of the rounds that the warm-up plays, for a cell that is not timed in every repetition. */
const WARM_UP = 1 / 10;

/**
 * The timing of each cell, with the median of its times. After one warm-up, all cells are timed in turn, again and again, each time beginning
 * with a different one, so that a slow spell of the machine affects all alike.
 *
 * Each row has its own thread, and one thread works at a time. The policies share code, which V8 would compile for all of them at once in a single
 * thread: HTINF at K = 2 then takes about twice as long as it does alone, which is how people run it.
 */
export async function medianTimings(cells: readonly Cell[], repetitions: number, signal: AbortSignal, step: () => void): Promise<Timing[]> {
  const threads = new Map([...new Set(cells.map(({ row }) => row))].map((row) => [row, newThread()]));
  const timings: Timing[][] = cells.map(() => []);
  try {
    for (let repetition = -1; repetition < repetitions; repetition++) {
      for (let i = 0; i < cells.length; i++) {
        const index = (i + repetition + 1) % cells.length;
        const { row, every, task } = cells[index]!;
        step();
        if (repetition > 0 && repetition % every !== 0) continue;
        const timing = await ask<Timing>(threads.get(row)!, repetition < 0 ? warmUp(every, task) : task, signal);
        if (repetition >= 0) timings[index]!.push(timing);
      }
    }
  } finally {
    await Promise.all([...threads.values()].map((thread) => thread.terminate()));
  }
  return timings.map(median);
}

/** Policies midway through their rounds, one after another. */
export async function midways(tasks: readonly MidwayTask[], signal: AbortSignal, step: () => void): Promise<Midway[]> {
  const thread = newThread();
  const found: Midway[] = [];
  try {
    for (const task of tasks) {
      found.push(await ask<Midway>(thread, task, signal));
      step();
    }
  } finally {
    await thread.terminate();
  }
  return found;
}

/** Policies as they grow old, one after another, each in its own thread. */
export async function growths(tasks: readonly GrowthTask[], signal: AbortSignal, step: () => void): Promise<Growth[]> {
  const found: Growth[] = [];
  for (const task of tasks) {
    const thread = newThread();
    found.push(await ask<Growth>(thread, task, signal).finally(() => thread.terminate()));
    step();
  }
  return found;
}

function newThread(): Worker {
  return new Worker(new URL("./timerThread.js", import.meta.url));
}

async function ask<Answer>(thread: Worker, task: Cell["task"] | MidwayTask | GrowthTask, signal: AbortSignal): Promise<Answer> {
  thread.postMessage(task);
  const [answer] = (await once(thread, "message", { signal })) as [Answer];
  return answer;
}

function warmUp(every: number, task: Cell["task"]): Cell["task"] {
  return every === 1 || task.kind === "calls" ? task : { ...task, rounds: Math.ceil(task.rounds * WARM_UP) };
}

/** The medians of many timings, as one. */
function median(timings: readonly Timing[]): Timing {
  const builds = timings.flatMap(({ buildMs }) => buildMs ?? []);
  return {
    time: quantile(
      timings.map(({ time }) => time),
      0.5,
    ),
    kernel: timings[0]!.kernel,
    buildMs: builds.length > 0 ? quantile(builds, 0.5) : null,
  };
}
