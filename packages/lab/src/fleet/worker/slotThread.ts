import { workerData } from "node:worker_threads";
import type { Experiment } from "../../document/experiment.js";
import { importModules } from "../../document/importModules.js";
import type { Run } from "../../document/run.js";
import { toResult } from "../../run/toResult.js";
import type { PlayedRun } from "../queue/chunk.js";

/** The data that the thread of a slot gets when it starts. */
export interface SlotThreadData {
  /** The user's own modules. */
  readonly files: readonly string[];
  /** Rounds played so far. */
  readonly rounds: BigInt64Array;
}

export interface SlotTask {
  readonly runs: readonly Run[];
  /** Null if it is the experiment of the previous task, because an experiment may be large. */
  readonly experiment: Experiment | null;
}

const { files, rounds } = workerData as SlotThreadData;
/** The import is not awaited here: a module that cannot be loaded fails the runs, not the thread. */
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
