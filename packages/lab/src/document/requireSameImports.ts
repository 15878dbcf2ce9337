import { LabError } from "../labError.js";
import type { FrozenExperiment, ImportedModule } from "./experiment.js";
import { namesakeDifference } from "./experimentDifference.js";

/** A folder of results may come from somebody else, so the code that it names is loaded only if the user names it too. */
export function requireSameImports({ imports }: FrozenExperiment, given: readonly ImportedModule[]): void {
  const i = imports.findIndex(({ hash }, each) => given[each]?.hash !== hash);
  if (i < 0) return;
  const edited = namesakeDifference(imports[i], given[i]);
  const modules =
    imports.length === 1 ? "that module, unchanged with all that it loads," : "the same modules in this order, unchanged with all that they load,";
  throw new LabError(
    "ERR_IMPORT",
    edited === null
      ? `these results were made with ${imports.map(({ file }) => file).join(", ")}; give ${modules} with --import`
      : `${edited}; put it back, or run the experiment again`,
  );
}
