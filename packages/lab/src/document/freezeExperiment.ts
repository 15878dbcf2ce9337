import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Experiment, FrozenExperiment, ImportedModule } from "./experiment.js";

/** The version of this package and of all others; a result carries this one number. */
export const VERSION = (JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }).version;

/** Stamps an experiment with the version and a hash that does not depend on the order of the document's keys. */
export function freezeExperiment(experiment: Experiment, imports: readonly ImportedModule[] = []): FrozenExperiment {
  // Only the contents of modules count, not their file names.
  const hashed = { version: VERSION, experiment, imports: imports.map(({ hash }) => hash) };
  return Object.freeze({ experiment, version: VERSION, hash: createHash("sha256").update(canonical(hashed)).digest("hex"), imports });
}

/** JSON with the keys of every object sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
