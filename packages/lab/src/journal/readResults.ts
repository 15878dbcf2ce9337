import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FrozenExperiment } from "../document/experiment.js";
import { LabError } from "../labError.js";
import type { Results } from "../run/results.js";
import type { OnStage } from "../run/stages.js";
import { FILES, readFrozen } from "./resultsDirectory.js";
import { StoredResults } from "./storedResults.js";

/** The contents of a results folder: the experiment, and every run in its journal. */
export function readResults(directory: string, onStage?: OnStage): { frozen: FrozenExperiment; results: Results } {
  const frozen = readFrozen(directory);
  const path = join(directory, FILES.journal);
  const results = existsSync(path) ? StoredResults.read(path, frozen, onStage) : null;
  const damage = results?.scan.damage ?? [];
  if (damage.length > 0) {
    const { line, problem } = damage[0]!;
    const count = damage.length === 1 ? "a damaged line" : `${damage.length} damaged lines, the first`;
    throw new LabError(
      "ERR_RESULTS",
      `${path} has ${count} at ${line} (${problem}); give the tsallis run that made the folder again, which takes them out and plays what is missing`,
    );
  }
  if (results === null || results.size === 0) {
    throw new LabError("ERR_RESULTS", `${directory} has no finished run yet; run the experiment first`);
  }
  return { frozen, results };
}
