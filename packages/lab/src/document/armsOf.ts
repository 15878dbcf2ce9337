import type { Experiment } from "./experiment.js";
import { environmentOf } from "./resolveRun.js";
import type { Run } from "./run.js";
import { withValue } from "./sweepPoints.js";

/** All runs of an environment need the same number. */
const known = new WeakMap<Experiment, Map<string, number | null>>();

/** The number of arms of a run's environment, with the first seed of the document; null if it cannot be made here, as where its module is not loaded. */
export function armsOf(experiment: Experiment, { environment, sweep }: Pick<Run, "environment" | "sweep">): number | null {
  const arms = known.get(experiment) ?? new Map<string, number | null>();
  known.set(experiment, arms);
  const key = JSON.stringify([environment, sweep]);
  if (!arms.has(key)) arms.set(key, made(experiment, environment, sweep));
  return arms.get(key)!;
}

function made(experiment: Experiment, label: string, sweep: Run["sweep"]): number | null {
  try {
    const { environments, horizon } = sweep === null ? experiment : withValue(experiment, sweep);
    return environmentOf(environments[label]!, horizon, experiment.seeds[0]!).arms;
  } catch {
    return null;
  }
}
