import type { FrozenExperiment } from "../document/experiment.js";
import type { Run } from "../document/run.js";
import type { RunResult } from "../run/runResult.js";

/** What an executor reports while it works. */
export interface Listener {
  /** Takes the result of a run, whatever became of it. */
  onResult(result: RunResult): void;
  /** Reports that more rounds were played, by all workers together. */
  onRounds(rounds: number): void;
}

/** Plays runs somewhere. The results arrive in any order, and each is the same wherever it was played. */
export interface Executor {
  /** The number of runs that are played at once. */
  readonly workers: number;
  /** Resolves when the listener has every result; rejects with the signal's reason after an abort. */
  execute(frozen: FrozenExperiment, runs: readonly Run[], listener: Listener, signal: AbortSignal): Promise<void>;
}
