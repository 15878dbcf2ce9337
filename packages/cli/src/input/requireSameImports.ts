import type { FrozenExperiment, ImportedModule } from "@tsallis/lab";
import { Failure } from "../text/failure.js";

/** A folder of results may come from somebody else, so the code that it names is loaded only if the user names it too. */
export function requireSameImports({ imports }: FrozenExperiment, given: readonly ImportedModule[]): void {
  const missing = imports.find(({ hash }, i) => given[i]?.hash !== hash);
  if (missing !== undefined) {
    throw new Failure(
      "ERR_IMPORT",
      `these results were made with ${missing.file}; give that module, with all that it loads unchanged, with --import`,
    );
  }
}
