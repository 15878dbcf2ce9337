import { type ImportedModule, importModules } from "@tsallis/lab";
import { at } from "../text/failure.js";
import { endable } from "./endable.js";

/** Registers what the modules of --import export. */
export async function imported(files: readonly string[]): Promise<ImportedModule[]> {
  const modules: ImportedModule[] = [];
  for (const file of files) {
    try {
      modules.push(...(await endable(() => importModules([file]))));
    } catch (error) {
      throw at(file, error);
    }
  }
  return modules;
}
