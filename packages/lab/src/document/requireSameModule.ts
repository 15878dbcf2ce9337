import { LabError } from "../labError.js";
import type { ImportedModule } from "./experiment.js";

/** Refuses a module that is not what the experiment was started with, and says what differs. */
export function requireSameModule(wanted: ImportedModule, had: ImportedModule): void {
  if (wanted.hash === had.hash) return;
  throw new LabError("ERR_IMPORT", `${differenceIn(wanted, had)}; put it back, or start over`);
}

/** The first difference between the module that an experiment was started with and the one that is here, in words. */
export function differenceIn(wanted: ImportedModule, had: ImportedModule): string {
  const [then, now] = [loadsOf(wanted), loadsOf(had)];
  const name = [...Object.keys(then), ...Object.keys(now)].find((each) => then[each] !== now[each]);
  if (name === undefined || name === ".") return `${had.file} is not what the experiment was started with`;
  if (now[name] === undefined) return `${had.file} does not load ${name}, which the experiment was started with`;
  if (then[name] === undefined) {
    return `${had.file} loads ${name}, which the experiment was started without (a module must load everything at its import, not in a function)`;
  }
  return `${name}, which ${had.file} loads, is not what the experiment was started with`;
}

function loadsOf({ hash, loads = { ".": hash } }: ImportedModule): Readonly<Record<string, string>> {
  return loads;
}
