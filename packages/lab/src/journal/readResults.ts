import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FrozenExperiment } from "../document/experiment.js";
import { LabError } from "../labError.js";
import type { RunResult } from "../run/runResult.js";
import { Journal } from "./journal.js";
import { FILES, readFrozen } from "./resultsDirectory.js";

/** The contents of a results folder: the experiment, and every run in its journal. */
export function readResults(directory: string): { frozen: FrozenExperiment; results: Map<string, RunResult> } {
  const frozen = readFrozen(directory);
  const path = join(directory, FILES.journal);
  const results = existsSync(path) ? Journal.read(path) : new Map<string, RunResult>();
  if (results.size === 0) throw new LabError("ERR_RESULTS", `${directory} has no finished run yet; run the experiment first`);
  return { frozen, results };
}
