import { type Analysis, claimDirectory, type FrozenExperiment, type ImportedModule, type RunResult, readResults } from "@tsallis/lab";
import { writeResults } from "@tsallis/lab/report";
import { imported } from "../input/imported.js";
import { Failure } from "../text/failure.js";
import { print } from "../text/output.js";
import { resultText } from "../text/resultText.js";
import { systemFailure } from "../text/systemFailure.js";

export interface ReportOptions {
  readonly import: readonly string[];
  readonly csv?: true | undefined;
}

/** Writes what follows from a folder's journal again, and prints its rankings. */
export async function report(directory: string, options: ReportOptions): Promise<void> {
  const { frozen, results } = readResults(directory);
  requireSameImports(frozen, await imported(options.import));
  await print(resultText(await rewrite(directory, frozen, results, options), directory));
}

/** Not beside a process that plays into the folder: both write the same files. */
async function rewrite(
  directory: string,
  frozen: FrozenExperiment,
  results: ReadonlyMap<string, RunResult>,
  options: ReportOptions,
): Promise<Analysis> {
  try {
    const release = claimDirectory(directory, frozen);
    try {
      return await writeResults(directory, frozen, results, { csv: options.csv === true });
    } finally {
      release();
    }
  } catch (error) {
    throw systemFailure(error, directory);
  }
}

/** A folder of results may come from somebody else: code that it names is never loaded unless the user names it, too. */
function requireSameImports({ imports }: FrozenExperiment, given: readonly ImportedModule[]): void {
  const missing = imports.find(({ hash }, i) => given[i]?.hash !== hash);
  if (missing !== undefined) {
    throw new Failure("ERR_IMPORT", `these results were made with ${missing.file}; give that module, unchanged, with --import`);
  }
}
