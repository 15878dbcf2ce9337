import { type ImportedModule, importModules, LabError } from "@tsallis/lab";
import { at } from "../text/failure.js";
import { endable } from "./signals.js";

/** Registers what the modules of --import export. */
export async function imported(files: readonly string[]): Promise<ImportedModule[]> {
  const modules: ImportedModule[] = [];
  for (const file of files) {
    try {
      modules.push(...(await endable(() => importModules([file]))));
    } catch (error) {
      throw at(file, error instanceof LabError ? new LabError(error.code, withoutFile(error.message, file)) : error);
    }
  }
  return modules;
}

/** The file is the place of the error already. */
function withoutFile(message: string, file: string): string {
  return message.startsWith(`${file} `) ? message.slice(file.length + 1) : message;
}
