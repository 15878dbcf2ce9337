import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Profiles, profilesOf } from "./analysis/profiles.js";
import { type Ranking, rankings } from "./analysis/ranking.js";
import { compareIds } from "./analysis/runOrder.js";
import { summarise } from "./analysis/summarise.js";
import type { SummaryRow } from "./analysis/summary.js";
import { type ClaimVerdict, weighEvidence } from "./analysis/weighEvidence.js";
import type { FrozenExperiment } from "./document/experiment.js";
import type { Run } from "./document/run.js";
import { horizonOf, runsOf } from "./document/runs.js";
import { profileCsv } from "./export/profileCsv.js";
import { rankingCsv } from "./export/rankingCsv.js";
import { rankingLatex } from "./export/rankingLatex.js";
import { traceTable } from "./export/traces.js";
import { tracesCsv } from "./export/tracesCsv.js";
import { tracesParquet } from "./export/tracesParquet.js";
import { FILES } from "./journal/resultsDirectory.js";
import { writeFile } from "./journal/writeFile.js";
import { renderFigures, renderReport } from "./report/page/renderReport.js";
import type { RunResult } from "./run/runResult.js";
import { quantile } from "./statistics/quantile.js";
import { guaranteeOf } from "./theory/guaranteeOf.js";

export interface WriteOptions {
  /** Whether traces.csv is written beside traces.parquet. One that is there already is written again in any case: all files tell of the same runs. */
  readonly csv?: boolean;
}

/** What was written, for whoever shows it. */
export interface Written {
  readonly summary: readonly SummaryRow[];
  readonly rankings: readonly Ranking[];
  readonly profiles: Profiles | null;
  readonly claim: ClaimVerdict;
  readonly failures: readonly (RunResult & { status: "failed" })[];
  /** Runs of the experiment that have no result yet, because only some were asked for. */
  readonly open: number;
}

/**
 * Writes everything that follows from the journal. summary.json, traces.parquet and the report depend on the experiment and its results alone,
 * not on the machine, the order or the clock; times are in timing.json.
 */
export async function writeResults(
  directory: string,
  frozen: FrozenExperiment,
  results: ReadonlyMap<string, RunResult>,
  { csv = false }: WriteOptions = {},
): Promise<Written> {
  const all = runsOf(frozen.experiment);
  const runs = all.filter(({ id }) => results.has(id));
  const guarantees = guaranteeOf(frozen.experiment);
  const summary = summarise(frozen, runs, results, guarantees);
  const ranked = rankings(frozen, runs, results, summary);
  const traces = traceTable(runs, results);
  const at = (file: string) => join(directory, file);
  writeFile(at(FILES.summary), `${JSON.stringify(summary)}\n`);
  writeFile(at(FILES.traces), tracesParquet(traces));
  if (csv || existsSync(at(FILES.csv))) {
    await pipeline(Readable.from(tracesCsv(traces)), createWriteStream(at(`${FILES.csv}.part`)));
    renameSync(at(`${FILES.csv}.part`), at(FILES.csv));
  }
  writeFile(at(FILES.rankingCsv), rankingCsv(ranked));
  writeFile(at(FILES.rankingLatex), rankingLatex(ranked));
  const profiles = profilesOf(frozen.experiment, runs, results, summary);
  if (profiles !== null) writeFile(at(FILES.profile), profileCsv(profiles));
  writeFile(at(FILES.timing), `${JSON.stringify(timing(frozen, runs, results), null, 2)}\n`);
  const claim = weighEvidence(frozen, runs, results, summary);
  const input = { frozen, runs, results, summary, rankings: ranked, profiles, guarantees, claim };
  rmSync(at(FILES.figures), { recursive: true, force: true });
  mkdirSync(at(FILES.figures));
  for (const [name, svg] of renderFigures(input)) writeFile(join(at(FILES.figures), name), svg);
  writeFile(at(FILES.report), renderReport(input));
  const failures = runs.flatMap(({ id }) => {
    const result = results.get(id)!;
    return result.status === "failed" ? [result] : [];
  });
  return { summary, rankings: ranked, profiles, claim, failures, open: all.length - runs.length };
}

/** Wall time per round by environment and policy, and of every run. It differs from machine to machine, and so has a file of its own. */
function timing({ experiment }: FrozenExperiment, runs: readonly Run[], results: ReadonlyMap<string, RunResult>): object {
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
