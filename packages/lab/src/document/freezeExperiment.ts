import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Experiment, FrozenExperiment, ImportedModule } from "./experiment.js";

/** The version of this package and of all others; a result carries this one number. */
export const VERSION = (JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }).version;

/** Stamps an experiment with the version and a hash that does not depend on the order of the document's keys. */
export function freezeExperiment(experiment: Experiment, imports: readonly ImportedModule[] = []): FrozenExperiment {
  return Object.freeze({ experiment, version: VERSION, hash: hashOf({ version: VERSION, experiment, imports }), imports });
}

/** The hash of an experiment that a version of this package has frozen or will freeze. */
export function hashOf({ version, experiment, imports }: Omit<FrozenExperiment, "hash">): string {
  // Only the contents of modules count, not their file names.
  const hashed = { version, experiment, imports: imports.map(({ hash }) => hash) };
  return createHash("sha256").update(canonical(hashed)).digest("hex");
}

/** JSON with the keys of every object sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
