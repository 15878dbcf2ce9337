import type { ImportedModule } from "./experiment.js";
import { importModules } from "./importModules.js";
import { loadedModule } from "./loadedModule.js";
import { requireSameModule } from "./requireSameModule.js";
import { watchLoads } from "./watchLoads.js";

/**
 * Registers modules in a thread that plays, and returns a check that throws if they, or something that they load, are not what they were when they were imported
 * first. A run may load more (a require inside a function), so the check is for before and after each.
 */
export async function importAgain(modules: readonly ImportedModule[]): Promise<() => void> {
  if (modules.length === 0) return () => {};
  const loads = watchLoads();
  await importModules(modules.map(({ file }) => file));
  return () => {
    for (const wanted of modules) requireSameModule(wanted, loadedModule(wanted.file, loads()));
  };
}
