import type { Experiment, FrozenExperiment, ImportedModule } from "../../document/experiment.js";
import { freezeExperiment } from "../../document/freezeExperiment.js";

/** The experiment in the text of a document, if it has that hash. Anybody who reaches the queue may have put something else there. */
export function parseDocument(text: unknown, hash: string): FrozenExperiment {
  const foreign = (what: string) => new Error(`the experiment in the queue under the hash ${hash.slice(0, 8)} ${what}`);
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    throw foreign("is not JSON");
  }
  const { experiment, imports } = (value ?? {}) as { readonly experiment?: Experiment; readonly imports?: unknown };
  if (!(typeof experiment === "object" && experiment !== null && Array.isArray(imports) && imports.every(isModule)))
    throw foreign("is not a document");
  const frozen = freezeExperiment(experiment, imports);
  if (frozen.hash !== hash) throw foreign("has a different hash: it was changed on the way");
  return frozen;
}

function isModule(value: unknown): value is ImportedModule {
  const { file, hash } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof file === "string" && typeof hash === "string";
}
