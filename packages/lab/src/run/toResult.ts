import { TsallisError } from "tsallis";
import type { Experiment } from "../document/experiment.js";
import { resolveRun } from "../document/resolveRun.js";
import type { Run } from "../document/run.js";
import { LabError } from "../labError.js";
import { playRun } from "./playRun.js";
import type { RunError, RunResult } from "./runResult.js";

/** Plays a run and returns its result; an error of the policy or the environment becomes a result too. */
export function toResult(experiment: Experiment, run: Run, onRounds: (rounds: number) => void): RunResult {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  try {
    const resolved = resolveRun(experiment, run);
    const { checkpoints, anatomy, fingerprint = false } = experiment;
    const trace = playRun(resolved, { seed: run.seed, checkpoints, anatomy, fingerprint, onRounds });
    return { id: run.id, status: "completed", trace, seconds: seconds() };
  } catch (error) {
    return { id: run.id, status: "failed", error: describe(error), seconds: seconds() };
  }
}

export function describe(error: unknown): RunError {
  const known = error instanceof TsallisError || error instanceof LabError;
  return { code: known ? error.code : null, message: error instanceof Error ? error.message : String(error) };
}
