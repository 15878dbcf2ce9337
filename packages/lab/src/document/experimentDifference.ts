import { basename } from "node:path";
import type { FrozenExperiment, ImportedModule } from "./experiment.js";
import { differenceIn } from "./requireSameModule.js";

/** More places than this are counted only. */
const MOST_PLACES = 3;

/** What makes two experiments differ, in a few words: the version, places of the document, modules. */
export function experimentDifference(there: FrozenExperiment, given: FrozenExperiment): string {
  const places = placesOf(there.experiment, given.experiment, "");
  const more = places.length > MOST_PLACES ? ` and ${places.length - MOST_PLACES} more` : "";
  return [
    ...(there.version === given.version ? [] : [`its version is ${there.version}, not ${given.version}`]),
    ...(places.length === 0 ? [] : [`the document differs in ${places.slice(0, MOST_PLACES).join(", ")}${more}`]),
    ...modulesDifference(there.imports, given.imports),
  ].join(", and ");
}

/** The paths at which two documents differ, such as `policies.mine.epsilon` and `environments.a.arms[2].shape`; lists of different lengths differ as a whole. */
function placesOf(a: unknown, b: unknown, path: string): string[] {
  if (a === b) return [];
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) return a.flatMap((item, i) => placesOf(item, b[i], `${path}[${i}]`));
  if (!isTable(a) || !isTable(b)) return [path];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => placesOf(a[key], b[key], path === "" ? key : `${path}.${key}`));
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first difference between the modules of an experiment and those that are given, as a list of none or one. */
function modulesDifference(wanted: readonly ImportedModule[], given: readonly ImportedModule[]): string[] {
  const i = (wanted.length > given.length ? wanted : given).findIndex((_, each) => wanted[each]?.hash !== given[each]?.hash);
  if (i < 0) return [];
  const names = (modules: readonly ImportedModule[]) => (modules.length === 0 ? "none" : modules.map(({ file }) => file).join(", "));
  return [namesakeDifference(wanted[i], given[i]) ?? `its modules are ${names(wanted)}, not ${names(given)}`];
}

/** What was edited in a module or in what it loads; null if the two are not the same module, by name. */
export function namesakeDifference(wanted: ImportedModule | undefined, had: ImportedModule | undefined): string | null {
  if (wanted === undefined || had === undefined || basename(wanted.file) !== basename(had.file)) return null;
  return differenceIn(wanted, had);
}
