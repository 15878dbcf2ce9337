import { setImmediate } from "node:timers/promises";
import { executeRun } from "../run/executeRun.js";
import type { Executor } from "./executor.js";

/** Plays all runs on the calling thread, one after the other. */
export const inlineExecutor: Executor = {
  workers: 1,
  async execute({ experiment }, runs, listener, signal) {
    for (const run of runs) {
      // Lets signals and timers run.
      await setImmediate();
      signal.throwIfAborted();
      listener.onResult(executeRun(experiment, run, (rounds) => listener.onRounds(rounds)));
    }
  },
};
