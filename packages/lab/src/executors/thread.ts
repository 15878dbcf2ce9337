import { workerData } from "node:worker_threads";
import type { FrozenExperiment } from "../document/experiment.js";
import { importModules } from "../document/importModules.js";
import type { Run } from "../document/run.js";
import type { RunResult } from "../run/runResult.js";
import { toResult } from "../run/toResult.js";

/** What every thread is given when it starts. */
export interface ThreadData {
  readonly frozen: FrozenExperiment;
  /** Rounds played and not yet told, over all threads. */
  readonly rounds: BigInt64Array;
}

const { frozen, rounds } = workerData as ThreadData;
/** Not awaited here: a thread that dies while it starts takes the pool with it; a module that can not be loaded fails the runs that need it. */
const imported = importModules(frozen.imports.map(({ file }) => file));
imported.catch(() => {});

export default async function (run: Run): Promise<RunResult> {
  await imported;
  return toResult(frozen.experiment, run, (more) => Atomics.add(rounds, 0, BigInt(more)));
}
