import { Worker } from "node:worker_threads";

/** Reports how much of a stage is done, from 0 to 1. It may be called often. */
export type At = (stage: string, share: number) => void;

/**
 * The thread, as text, so that it is the same in the sources and in the build. `state` is two integers: whether the work has ended; and 1001 times the
 * number of the stage, plus the per mille of it that are done.
 */
const THREAD = `
const { writeSync } = require("node:fs");
const { state, stages, terminal, waits } = require("node:worker_threads").workerData;
let shown = false;
for (let wait = waits.first; Atomics.wait(state, 0, 0, wait) === "timed-out"; wait = waits.next) {
  const now = Atomics.load(state, 1);
  if (stages[Math.floor(now / 1001)] === "") continue;
  const share = now % 1001;
  const text = stages[Math.floor(now / 1001)] + (share === 0 ? "" : ": " + Math.floor(share / 10) + " %");
  writeSync(2, terminal ? "\\r\\u001b[K" + text : "tsallis: " + text + "\\n");
  shown = true;
}
if (shown && terminal) writeSync(2, "\\r\\u001b[K");
`;

/** How long the thread waits before its first line, and between two, in milliseconds. */
interface Waits {
  readonly first: number;
  readonly next: number;
}

const ON_A_TERMINAL: Waits = { first: 2000, next: 1000 };
const ELSEWHERE: Waits = { first: 4000, next: 4000 };

/**
 * Shows how far work is that keeps this thread busy for minutes, in which no timer fires: another thread writes to stderr. On a terminal, from two seconds on, it
 * is one line that is overwritten every second, elsewhere a line every four seconds. Nothing is shown in a stage without a name.
 */
export async function withHeartbeat<T>(
  stages: readonly string[],
  work: (at: At) => T | Promise<T>,
  { wanted = true, waits = process.stderr.isTTY ? ON_A_TERMINAL : ELSEWHERE }: { wanted?: boolean; waits?: Waits } = {},
): Promise<T> {
  if (!wanted) return await work(() => {});
  const state = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(THREAD, { eval: true, workerData: { state, stages, terminal: process.stderr.isTTY === true, waits } });
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  try {
    return await work((stage, share) => Atomics.store(state, 1, 1001 * stages.indexOf(stage) + Math.floor(1000 * share)));
  } finally {
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    await ended;
  }
}
