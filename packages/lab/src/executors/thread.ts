import { workerData } from "node:worker_threads";
import type { FrozenExperiment } from "../document/experiment.js";
import { importAgain } from "../document/importAgain.js";
import type { Run } from "../document/run.js";
import { describe, executeRun } from "../run/executeRun.js";
import type { RunResult } from "../run/runResult.js";

/** The data that every thread gets when it starts. */
export interface ThreadData {
  readonly frozen: FrozenExperiment;
  /** Rounds that were played but not yet reported, over all threads. */
  readonly rounds: BigInt64Array;
}

const { frozen, rounds } = workerData as ThreadData;
/**
 * The import is not awaited here: a thread that dies at its start takes the pool with it, whereas a module that cannot be loaded fails only the runs
 * that need it.
 */
const imported = importAgain(frozen.imports);
imported.catch(() => {});

export default async function (run: Run): Promise<RunResult> {
  try {
    const requireSame = await imported;
    requireSame();
    const result = executeRun(frozen.experiment, run, (more) => Atomics.add(rounds, 0, BigInt(more)));
    requireSame();
    return result;
  } catch (error) {
    return { id: run.id, status: "failed", error: describe(error), seconds: 0 };
  }
}
