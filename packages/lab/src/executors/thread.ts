import { workerData } from "node:worker_threads";
import type { FrozenExperiment } from "../document/experiment.js";
import { importModules } from "../document/importModules.js";
import type { Run, RunResult } from "../run/runResult.js";
import { toResult } from "../run/toResult.js";

/** What every thread is given when it starts. */
export interface ThreadData {
  readonly frozen: FrozenExperiment;
  /** Rounds played and not yet told, over all threads. */
  readonly rounds: BigInt64Array;
}

const { frozen, rounds } = workerData as ThreadData;
await importModules(frozen.imports.map(({ file }) => file));

export default function (run: Run): RunResult {
  return toResult(frozen.experiment, run, (more) => Atomics.add(rounds, 0, BigInt(more)));
}
