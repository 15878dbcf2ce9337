import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FrozenExperiment } from "../document/experiment.js";
import { LabError } from "../labError.js";
import type { Results } from "../run/results.js";
import type { OnStage } from "../run/stages.js";
import { FILES, readFrozen } from "./resultsDirectory.js";
import { StoredResults } from "./storedResults.js";

/** The contents of a results folder: the experiment, and every run in its journal. A damaged line is refused here, or when its result is read. */
export function readResults(directory: string, onStage?: OnStage): { frozen: FrozenExperiment; results: Results } {
  const frozen = readFrozen(directory);
  const path = join(directory, FILES.journal);
  const results = existsSync(path) ? StoredResults.find(path, frozen, onStage) : null;
  if (results === null || results.size === 0) {
    throw new LabError("ERR_RESULTS", `${directory} has no finished run yet; run the experiment first`);
  }
  return { frozen, results };
}
