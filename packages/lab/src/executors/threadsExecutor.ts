import { Piscina } from "piscina";
import type { Run } from "../document/run.js";
import { describe } from "../run/executeRun.js";
import type { RunResult } from "../run/runResult.js";
import type { Executor, Listener } from "./executor.js";
import type { ThreadData } from "./thread.js";

/** How often the threads' count of rounds is read. */
const TICK_MS = 100;

/**
 * The pool loads its file by require() before it tries import(). Under Node 20, a thread that is ended while it requires an ES module can take the whole process with it
 * ("v8::Module::IsGraphAsync must be used on an instantiated module"); with this flag require() refuses such a file at once.
 */
const IMPORT_ONLY = "--no-experimental-require-module";
const FLAGS = process.allowedNodeEnvironmentFlags.has(IMPORT_ONLY) ? [IMPORT_ONLY] : [];

/** Plays runs in worker threads. If a thread dies (out of memory, process.exit), only the run that it was playing fails. */
export function threadsExecutor(workers: number): Executor {
  return {
    workers,
    async execute(frozen, runs, listener, signal) {
      if (runs.length === 0) return;
      const rounds = new BigInt64Array(new SharedArrayBuffer(8));
      const threads = Math.min(workers, runs.length);
      const pool = new Piscina({
        filename: new URL("./thread.js", import.meta.url).href,
        minThreads: threads,
        maxThreads: threads,
        execArgv: [...process.execArgv, ...FLAGS],
        workerData: { frozen, rounds } satisfies ThreadData,
      });
      // A thread that dies between two runs does no harm: the pool starts another.
      pool.on("error", () => {});
      const ticker = setInterval(() => tell(rounds, listener), TICK_MS);
      // A listener that throws (for example because the disk is full) ends the work like an abort: unfinished runs of the other threads have not
      // failed.
      const refusal = new AbortController();
      const stop = AbortSignal.any([signal, refusal.signal]);
      try {
        // There are never more tasks than threads, so that an abort ends all of them at once.
        const waiting = runs[Symbol.iterator]();
        const work = async () => {
          for (const run of waiting) {
            stop.throwIfAborted();
            const result = await play(pool, run, stop);
            try {
              listener.onResult(result);
            } catch (error) {
              refusal.abort(error);
              throw error;
            }
          }
        };
        await Promise.all(Array.from({ length: threads }, work));
      } finally {
        clearInterval(ticker);
        tell(rounds, listener);
        await pool.destroy();
      }
    },
  };
}

async function play(pool: Piscina, run: Run, signal: AbortSignal): Promise<RunResult> {
  try {
    return (await pool.run(run, { signal })) as RunResult;
  } catch (error) {
    signal.throwIfAborted();
    return { id: run.id, status: "failed", error: describe(error), seconds: 0 };
  }
}

function tell(rounds: BigInt64Array, listener: Listener): void {
  const more = Number(Atomics.exchange(rounds, 0, 0n));
  if (more > 0) listener.onRounds(more);
}
