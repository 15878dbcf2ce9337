import type { Environment } from "tsallis";
import type { Experiment } from "../document/experiment.js";
import { environmentOf } from "../document/resolveRun.js";
import type { Run } from "../document/run.js";
import { withValue } from "../document/sweepPoints.js";

/**
 * The environment of some runs, created with the first seed of the document. In no environment of the library do the means depend on the seed, except
 * for which arm has them. Null if the environment cannot be created, for example because its module is not loaded when results are read back.
 */
export function worldOf(experiment: Experiment, { environment, sweep }: Pick<Run, "environment" | "sweep">): Environment | null {
  try {
    const { environments, horizon, seeds } = sweep === null ? experiment : withValue(experiment, sweep);
    return environmentOf(environments[environment]!, horizon, seeds[0]!);
  } catch {
    return null;
  }
}
