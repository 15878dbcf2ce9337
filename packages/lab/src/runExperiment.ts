import { join } from "node:path";
import type { Analysis } from "./analysis/analysis.js";
import type { FrozenExperiment } from "./document/experiment.js";
import type { Run } from "./document/run.js";
import { chosenRuns, horizonOf } from "./document/runs.js";
import type { Executor } from "./executors/executor.js";
import { Journal } from "./journal/journal.js";
import { claimDirectory, FILES } from "./journal/resultsDirectory.js";
import { LabError } from "./labError.js";
import type { WriteOptions } from "./report/writeResults.js";
import type { RunResult } from "./run/runResult.js";

/** Where and how an experiment is played. */
export interface RunOptions extends WriteOptions {
  readonly directory: string;
  readonly executor: Executor;
  /** Plays only the runs whose id matches. */
  readonly only?: string;
  /** Plays runs that failed before again. */
  readonly retryFailed?: boolean;
  readonly signal: AbortSignal;
  /** Called periodically with progress. */
  readonly onProgress?: (progress: Progress) => void;
  /** Is told, before anything is played, that lines of the journal were damaged: how many, how many runs were kept, and how many are to be played. */
  readonly onDamage?: (damaged: number, kept: number, open: number) => void;
}

/** The progress of an experiment. */
export interface Progress {
  readonly runs: number;
  readonly done: number;
  readonly failed: number;
  /** Runs that were already in the journal when this process began. */
  readonly resumed: number;
  /** Rounds that this process has played. */
  readonly rounds: number;
  /** Rounds that this process has to play in all, if no run fails early. */
  readonly roundsInAll: number;
}

/** Plays the runs that are not in the journal yet, then writes the results. The same call continues after an interruption. */
export async function runExperiment(frozen: FrozenExperiment, options: RunOptions): Promise<Analysis> {
  const chosen = chosenRuns(frozen.experiment, options.only);
  const release = claimDirectory(options.directory, frozen);
  try {
    const journal = Journal.open(join(options.directory, FILES.journal), frozen, options.onStage);
    try {
      if (options.retryFailed === true) journal.remove(chosen.map(({ id }) => id).filter((id) => journal.statusOf(id) === "failed"));
      const waiting = chosen.filter(({ id }) => !journal.has(id));
      const { damage } = journal.scan;
      if (damage.length > 0) options.onDamage?.(damage.length, journal.size, waiting.length);
      const progress = {
        runs: chosen.length,
        done: chosen.length - waiting.length,
        failed: chosen.filter(({ id }) => journal.statusOf(id) === "failed").length,
        resumed: chosen.length - waiting.length,
        rounds: 0,
        roundsInAll: waiting.reduce((sum, run) => sum + horizonOf(frozen.experiment, run), 0),
      };
      const tell = () => options.onProgress?.({ ...progress });
      tell();
      const listener = {
        onRounds(rounds: number) {
          progress.rounds += rounds;
          tell();
        },
        onResult(result: RunResult) {
          // The second answer of a fleet for the same run says nothing new.
          if (journal.has(result.id)) return;
          journal.append(result);
          progress.done++;
          if (result.status === "failed") progress.failed++;
          tell();
        },
      };
      await options.executor.execute(frozen, waiting, listener, options.signal);
      requireResults(waiting.filter(({ id }) => !journal.has(id)));
    } finally {
      journal.close();
    }
    // Imported only now, because loading the report's drawing code takes longer than many a command that does not need it.
    const { writeResults } = await import("./report/writeResults.js");
    return await writeResults(options.directory, frozen, journal, options);
  } finally {
    release();
  }
}

/** Whatever plays the runs must not leave one out, or a report of fewer runs would look whole. */
function requireResults(open: readonly Run[]): void {
  if (open.length === 0) return;
  const ids = open.slice(0, 3).map(({ id }) => id);
  const more = open.length > ids.length ? ` and ${open.length - ids.length} more` : "";
  throw new LabError("ERR_OPEN", `no result came for ${ids.join(", ")}${more}; the same command plays what is missing`);
}
