import type { Environment } from "tsallis";
import type { Experiment } from "../document/experiment.js";
import { environmentOf } from "../document/resolveRun.js";
import type { Run } from "../document/run.js";
import { withValue } from "../document/sweepPoints.js";

/**
 * The environment of some runs, with the first seed of the document: no environment of the library has means that depend on the seed, but for which arm has them. Null
 * where it can not be made, as when results are read back without the module that it comes from.
 */
export function worldOf(experiment: Experiment, { environment, sweep }: Pick<Run, "environment" | "sweep">): Environment | null {
  try {
    const { environments, horizon, seeds } = sweep === null ? experiment : withValue(experiment, sweep);
    return environmentOf(environments[environment]!, horizon, seeds[0]!);
  } catch {
    return null;
  }
}
