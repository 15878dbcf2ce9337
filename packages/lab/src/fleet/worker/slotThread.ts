import { workerData } from "node:worker_threads";
import type { Experiment, ImportedModule } from "../../document/experiment.js";
import { importAgain } from "../../document/importAgain.js";
import type { Run } from "../../document/run.js";
import { describe, executeRun } from "../../run/executeRun.js";
import type { PlayedRun } from "../queue/chunk.js";

/** The data that the thread of a slot gets when it starts. */
export interface SlotThreadData {
  /** The user's own modules, as they were when the worker started. */
  readonly modules: readonly ImportedModule[];
  /** Rounds played so far. */
  readonly rounds: BigInt64Array;
}

export interface SlotTask {
  readonly runs: readonly Run[];
  /** Null if it is the experiment of the previous task, because an experiment may be large. */
  readonly experiment: Experiment | null;
  /** Whether the experiment needs modules. */
  readonly needsModules: boolean;
}

const { modules, rounds } = workerData as SlotThreadData;
/** The import is not awaited here: a module that cannot be loaded refuses the runs, not the thread. */
const imported = importAgain(modules);
imported.catch(() => {});
let current: Experiment | null = null;

/** Plays the runs; a text says why the thread may not: a module is not what it was. */
export default async function ({ runs, experiment, needsModules }: SlotTask): Promise<PlayedRun[] | string> {
  current = experiment ?? current;
  const before = needsModules ? await changeOf() : null;
  if (before !== null) return before;
  const played = runs.map((run) => {
    let played = 0;
    const result = executeRun(current!, run, (more) => {
      played += more;
      Atomics.add(rounds, 0, BigInt(more));
    });
    return { result, rounds: played };
  });
  return (needsModules ? await changeOf() : null) ?? played;
}

async function changeOf(): Promise<string | null> {
  try {
    (await imported)();
    return null;
  } catch (error) {
    return describe(error).message;
  }
}
