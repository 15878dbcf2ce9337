import { Compile } from "typebox/schema";
import type { Experiment } from "../../document/experiment.js";
import { experimentSchema } from "../../document/schema.js";

/** Checks an experiment against the published schema. Whoever calls it has imported the experiment's modules, which register what they name. */
export function requireSchema({ claim, sweep, ...rest }: Experiment): void {
  // A complete document has every key; one that is written by hand leaves these out.
  const document = { ...rest, ...(claim === null ? {} : { claim }), ...(Array.isArray(sweep) && sweep.length === 0 ? {} : { sweep }) };
  const [good, problems] = Compile(experimentSchema()).Errors(document);
  if (good) return;
  const { instancePath, message } = problems[0]!;
  throw new Error(`the experiment in the queue is no valid document: ${instancePath.slice(1).replaceAll("/", ".") || "it"} ${message}`);
}
