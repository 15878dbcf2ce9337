import type { RunResult } from "./runResult.js";

/**
 * The results of an experiment's runs, by run id. Reading one may mean reading a file, so that the traces of a large experiment need not be in memory
 * all at once: whoever needs many reads them one after the other, and keeps of each only what it needs.
 */
export interface Results {
  /** The number of runs that have a result. */
  readonly size: number;
  /** Whether a run has a result. */
  has(id: string): boolean;
  /** The result of a run; undefined if it has none. */
  get(id: string): RunResult | undefined;
}
