import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtIn, completeExperiment, freezeExperiment, parseExperiment, runExperiment, runsOf } from "@tsallis/lab";
import { queueExecutor } from "@tsallis/lab/fleet";
import { processorTime } from "../processorTime.js";
import { withWorkers } from "./benchWorkers.js";

/** The cost of many short runs to a coordinator, from the queue to the report. */
export interface MergeCost {
  readonly runs: number;
  readonly runsPerSecond: number;
  /** The coordinator's processor time until the last run was in the journal. */
  readonly millisecondsPerRun: number;
  readonly journalBytesPerRun: number;
  /** The time from the last run to the end: summary, traces, rankings, figures, report. */
  readonly mergeSeconds: number;
}

/** A built-in experiment, shortened to few rounds. */
export interface MergeSize {
  readonly experiment: string;
  readonly seeds: number;
  readonly horizon: number;
}

/** Plays an experiment through the fleet, from its document to its report. */
export async function mergeCost(url: string, threads: number, { experiment, seeds, horizon }: MergeSize, signal: AbortSignal): Promise<MergeCost> {
  const frozen = freezeExperiment(completeExperiment(parseExperiment(builtIn(experiment)!).value, { seeds, horizon }));
  const runs = runsOf(frozen.experiment).length;
  const directory = mkdtempSync(join(tmpdir(), "tsallis-bench-"));
  const now = () => ({ time: performance.now(), processor: processorTime() });
  try {
    const [begin, last, end] = await withWorkers(url, { workers: 1, concurrency: threads }, signal, async () => {
      const begin = now();
      let last: typeof begin | undefined;
      const onProgress = ({ done }: { readonly done: number }) => {
        if (done === runs) last ??= now();
      };
      await runExperiment(frozen, { directory, executor: queueExecutor(url), signal, onProgress });
      return [begin, last!, now()] as const;
    });
    return {
      runs,
      runsPerSecond: (1000 * runs) / (last.time - begin.time),
      millisecondsPerRun: (last.processor - begin.processor) / runs,
      journalBytesPerRun: statSync(join(directory, "journal.jsonl")).size / runs,
      mergeSeconds: (end.time - last.time) / 1000,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
