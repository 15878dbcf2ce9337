import type { FrozenExperiment } from "../document/experiment.js";
import type { Run } from "../document/run.js";
import type { RunResult } from "../run/runResult.js";

/** What an executor tells while it works. */
export interface Listener {
  onResult(result: RunResult): void;
  /** So many more rounds were played, over all workers. */
  onRounds(rounds: number): void;
}

/** Plays runs, somewhere. The results come in any order; each is the same wherever it was played. */
export interface Executor {
  /** How many runs are played at once. */
  readonly workers: number;
  /** Resolves when every run has been told to the listener; rejects with the signal's reason after an abort. */
  execute(frozen: FrozenExperiment, runs: readonly Run[], listener: Listener, signal: AbortSignal): Promise<void>;
}
