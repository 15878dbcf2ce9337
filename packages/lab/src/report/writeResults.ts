import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Analysis, analyse } from "../analysis/analysis.js";
import { compareIds } from "../analysis/runOrder.js";
import type { FrozenExperiment } from "../document/experiment.js";
import type { Run } from "../document/run.js";
import { horizonOf } from "../document/runs.js";
import { profileCsv } from "../export/profileCsv.js";
import { rankingCsv } from "../export/rankingCsv.js";
import { rankingLatex } from "../export/rankingLatex.js";
import { summaryJson } from "../export/summaryJson.js";
import { traceTable } from "../export/traces.js";
import { tracesCsv } from "../export/tracesCsv.js";
import { tracesParquet } from "../export/tracesParquet.js";
import { FILES } from "../journal/resultsDirectory.js";
import { writeFile } from "../journal/writeFile.js";
import type { Results } from "../run/results.js";
import { quantile } from "../statistics/quantile.js";
import { drawReport } from "./figures/drawReport.js";
import { renderFigures, renderReport } from "./page/renderReport.js";

/** Which files are written besides those that always are. */
export interface WriteOptions {
  /**
   * Whether traces.csv is written beside traces.parquet. An existing traces.csv is always written again, so that all files describe the same runs.
   */
  readonly csv?: boolean;
}

/**
 * Writes everything that follows from the journal, and returns the analysis behind it. All files except timing.json depend only on the experiment and
 * its results, not on the machine, the order of the runs or the clock.
 */
export async function writeResults(
  directory: string,
  frozen: FrozenExperiment,
  results: Results,
  { csv = false }: WriteOptions = {},
): Promise<Analysis> {
  const analysis = analyse(frozen, results);
  const { runs, rankings, profiles } = analysis;
  const traces = traceTable(runs, results);
  const at = (file: string) => join(directory, file);
  // First what may fail: results that cannot be drawn or exported leave the files of an earlier time as they are.
  const report = drawReport(analysis);
  const page = renderReport(report);
  writeFile(at(FILES.traces), tracesParquet(traces));
  writeFile(at(FILES.summary), `${JSON.stringify(summaryJson(analysis))}\n`);
  if (csv || existsSync(at(FILES.csv))) {
    await pipeline(Readable.from(tracesCsv(traces)), createWriteStream(at(`${FILES.csv}.part`)));
    renameSync(at(`${FILES.csv}.part`), at(FILES.csv));
  }
  writeFile(at(FILES.rankingCsv), rankingCsv(rankings));
  writeFile(at(FILES.rankingLatex), rankingLatex(rankings));
  if (profiles !== null) writeFile(at(FILES.profile), profileCsv(profiles));
  writeFile(at(FILES.timing), `${JSON.stringify(timing(frozen, runs, results), null, 2)}\n`);
  rmSync(at(FILES.figures), { recursive: true, force: true });
  mkdirSync(at(FILES.figures));
  for (const [name, svg] of renderFigures(report)) writeFile(join(at(FILES.figures), name), svg);
  writeFile(at(FILES.report), page);
  return analysis;
}

/** Wall time per round by environment and policy, and of every run. It differs between machines, so it has a file of its own. */
function timing({ experiment }: FrozenExperiment, runs: readonly Run[], results: Results): object {
  const timed = runs
    .filter(({ id }) => results.get(id)!.status === "completed")
    .map((run) => ({ ...run, seconds: results.get(run.id)!.seconds, nsPerRound: (results.get(run.id)!.seconds * 1e9) / horizonOf(experiment, run) }))
    .sort((a, b) => compareIds(a.id, b.id));
  const groups = new Map<string, number[]>();
  for (const { environment, policy, nsPerRound } of timed) {
    const key = `${environment}/${policy}`;
    groups.set(key, [...(groups.get(key) ?? []), nsPerRound]);
  }
  return {
    nsPerRound: Object.fromEntries([...groups].map(([key, times]) => [key, Math.round(quantile(times, 0.5))])),
    runs: timed.map(({ id, seconds }) => ({ id, seconds })),
  };
}
