import { workerData } from "node:worker_threads";
import type { Experiment } from "../../document/experiment.js";
import { importModules } from "../../document/importModules.js";
import type { Run } from "../../document/run.js";
import { toResult } from "../../run/toResult.js";
import type { PlayedRun } from "../queue/chunk.js";

/** What the thread of a slot is given when it starts. */
export interface SlotThreadData {
  /** Modules of the user's own. */
  readonly files: readonly string[];
  /** Rounds played so far. */
  readonly rounds: BigInt64Array;
}

export interface SlotTask {
  readonly runs: readonly Run[];
  /** Only if it is another one than that of the last task: it may be large. */
  readonly experiment: Experiment | null;
}

const { files, rounds } = workerData as SlotThreadData;
/** Not awaited here: a module that can not be loaded fails the runs, not the thread. */
const imported = importModules(files);
imported.catch(() => {});
let current: Experiment | null = null;

export default async function ({ runs, experiment }: SlotTask): Promise<PlayedRun[]> {
  await imported;
  current = experiment ?? current;
  return runs.map((run) => {
    let played = 0;
    const result = toResult(current!, run, (more) => {
      played += more;
      Atomics.add(rounds, 0, BigInt(more));
    });
    return { result, rounds: played };
  });
}
