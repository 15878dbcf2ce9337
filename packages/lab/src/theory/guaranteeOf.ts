import { type Environment, TsallisError } from "tsallis";
import type { Experiment } from "../document/experiment.js";
import { resolveRun } from "../document/resolveRun.js";
import type { Run } from "../document/run.js";
import { applicableBounds, type Guarantee } from "./applicableBounds.js";

/** What is proved for the cell of a run; null if its environment cannot be created. */
export type GuaranteeOf = (run: Run) => Guarantee | null;

/** Answers for the runs of an experiment. No theorem depends on the seed, so the answer for the first run of a cell holds for all. */
export function guaranteeOf(experiment: Experiment): GuaranteeOf {
  const known = new Map<string, Guarantee | null>();
  // One object for all policies, which caches what is known about its distributions.
  const worlds = new Map<string, Environment>();
  return (run) => {
    const key = JSON.stringify([run.environment, run.policy, run.sweep]);
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    const guarantee = prove(experiment, run, worlds);
    known.set(key, guarantee);
    return guarantee;
  };
}

function prove(experiment: Experiment, run: Run, worlds: Map<string, Environment>): Guarantee | null {
  try {
    const { environment, policy, horizon, delay, rescaling } = resolveRun(experiment, run);
    const key = JSON.stringify([environment.spec, run.seed]);
    const world = worlds.get(key) ?? environment;
    worlds.set(key, world);
    return applicableBounds({ environment: world, policy, horizon, delayed: delay !== 0, rescaled: rescaling !== null });
  } catch (error) {
    if (error instanceof TsallisError) return null;
    throw error;
  }
}
