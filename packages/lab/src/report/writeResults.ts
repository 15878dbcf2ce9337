import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Analysis, analyse } from "../analysis/analysis.js";
import type { FrozenExperiment } from "../document/experiment.js";
import { acrossCsv } from "../export/acrossCsv.js";
import { profileCsv } from "../export/profileCsv.js";
import { rankingCsv } from "../export/rankingCsv.js";
import { rankingLatex } from "../export/rankingLatex.js";
import { summaryJson, summaryText } from "../export/summaryJson.js";
import { timingJson } from "../export/timingJson.js";
import { traceTable } from "../export/traces.js";
import { tracesCsv } from "../export/tracesCsv.js";
import { tracesParquet } from "../export/tracesParquet.js";
import { FILES } from "../journal/resultsDirectory.js";
import { writeFile } from "../journal/writeFile.js";
import { writePieces } from "../journal/writePieces.js";
import type { Results } from "../run/results.js";
import { type OnStage, watched } from "../run/stages.js";
import { drawReport } from "./figures/drawReport.js";
import { renderFigures, renderLatexFigures, renderReport } from "./page/renderReport.js";

/** Which files are written besides those that always are. */
export interface WriteOptions {
  /**
   * Whether traces.csv is written beside traces.parquet. An existing traces.csv is always written again, so that all files describe the same runs.
   */
  readonly csv?: boolean;
  /** Called again and again while the results are analysed and written. The work does not yield in between, so a timer would not fire. */
  readonly onStage?: OnStage;
}

/**
 * Writes everything that follows from the journal, and returns the analysis behind it. All files except timing.json depend only on the experiment and
 * its results, not on the machine, the order of the runs or the clock.
 */
export async function writeResults(
  directory: string,
  frozen: FrozenExperiment,
  results: Results,
  { csv = false, onStage }: WriteOptions = {},
): Promise<Analysis> {
  const analysis = { ...analyse(frozen, watched(results, "analysing the runs", onStage)), results };
  const { groups, rankings, profiles, across } = analysis;
  const cells = groups.flatMap(({ members }) => members.map(({ cell }) => cell));
  const traces = traceTable(cells, watched(results, "writing the traces", onStage));
  const at = (file: string) => join(directory, file);
  // First what may fail: results that cannot be drawn or exported leave the files of an earlier time as they are.
  onStage?.("drawing the report", 0);
  const report = drawReport(analysis);
  const page = renderReport(report);
  await writePieces(at(FILES.traces), tracesParquet(traces, stampOf(frozen)));
  onStage?.("writing the other files", 0);
  await writePieces(at(FILES.summary), summaryText(summaryJson(analysis)));
  if (csv || existsSync(at(FILES.csv))) await writePieces(at(FILES.csv), tracesCsv(traces));
  writeFile(at(FILES.rankingCsv), rankingCsv(rankings));
  writeFile(at(FILES.rankingLatex), rankingLatex(rankings));
  if (profiles !== null) writeFile(at(FILES.profile), profileCsv(profiles));
  if (across !== null) writeFile(at(FILES.across), acrossCsv(across));
  await writePieces(at(FILES.timing), timingJson(frozen.experiment, cells));
  rmSync(at(FILES.figures), { recursive: true, force: true });
  mkdirSync(at(FILES.figures));
  for (const [name, text] of [...renderFigures(report), ...renderLatexFigures(report)]) writeFile(join(at(FILES.figures), name), text);
  writeFile(at(FILES.report), page);
  return analysis;
}

/** Says, inside a file that may be copied away from its folder, which experiment it belongs to. */
function stampOf({ experiment, hash, version }: FrozenExperiment): Record<string, string> {
  return { "tsallis.version": version, "tsallis.experiment": experiment.name, "tsallis.hash": hash };
}
