import { Piscina } from "piscina";
import type { Run } from "../document/run.js";
import type { RunResult } from "../run/runResult.js";
import { describe } from "../run/toResult.js";
import type { Executor, Listener } from "./executor.js";
import type { ThreadData } from "./thread.js";

/** How often the threads' count of rounds is read, in milliseconds. */
const TICK = 100;

/**
 * The pool loads its file by require() before it tries import(). Under Node 20, a thread that is ended while it requires an ES module can take the whole process with it
 * ("v8::Module::IsGraphAsync must be used on an instantiated module"); with this flag require() refuses such a file at once.
 */
const IMPORT_ONLY = "--no-experimental-require-module";
const FLAGS = process.allowedNodeEnvironmentFlags.has(IMPORT_ONLY) ? [IMPORT_ONLY] : [];

/** Plays runs in worker threads. A thread that dies (out of memory, process.exit) costs the run it was playing, and nothing else. */
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
      // A thread that dies between two runs costs nothing: the pool starts another.
      pool.on("error", () => {});
      const ticker = setInterval(() => tell(rounds, listener), TICK);
      // A listener that throws (a full disk) ends the work as an abort does: what the other threads leave unfinished has not failed.
      const refusal = new AbortController();
      const stop = AbortSignal.any([signal, refusal.signal]);
      try {
        // Only as many tasks as threads at a time: an abort then ends them all at once.
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
