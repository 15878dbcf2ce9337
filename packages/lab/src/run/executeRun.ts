import { TsallisError } from "tsallis";
import { checkPolicy } from "../conformance/checkPolicy.js";
import { placeOf } from "../conformance/placeOf.js";
import { armsOf } from "../document/armsOf.js";
import type { Experiment } from "../document/experiment.js";
import { untriedPolicies } from "../document/importModules.js";
import { type ResolvedRun, resolveRun } from "../document/resolveRun.js";
import type { Run } from "../document/run.js";
import { LabError } from "../labError.js";
import { playRun } from "./playRun.js";
import type { RunError, RunResult } from "./runResult.js";

/** Plays a run and returns its result; an error of the policy or the environment becomes a result too. */
export function executeRun(experiment: Experiment, run: Run, onRounds: (rounds: number) => void): RunResult {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  try {
    const resolved = resolveRun(experiment, run);
    requireSameArms(experiment, run, resolved);
    tryPolicy(resolved);
    const { checkpoints, anatomy, runHash = false } = experiment;
    const trace = playRun(resolved, { seed: run.seed, checkpoints, anatomy, runHash, onRounds });
    return { id: run.id, status: "completed", trace, seconds: seconds() };
  } catch (error) {
    const { code, message } = describe(error);
    return { id: run.id, status: "failed", error: { code, message: code === null ? message + placeOf(error) : message }, seconds: seconds() };
  }
}

/** Means over seeds are of the same arms. */
function requireSameArms(experiment: Experiment, run: Run, { environment: { arms } }: ResolvedRun): void {
  const wanted = armsOf(experiment, run);
  if (wanted === null || wanted === arms) return;
  const message = `the environment ${run.environment} has ${arms} arms with seed ${run.seed}, and ${wanted} with the document's first: their number must not depend on the seed`;
  throw new LabError("ERR_CONFORMANCE", message);
}

/** A Choice with a wrong field would be found late, or by nobody: a policy of the user's own plays a round for show before its first run. */
function tryPolicy({ policy, environment: { arms } }: ResolvedRun): void {
  if (!untriedPolicies.has(policy.policy)) return;
  checkPolicy(policy, { arms, rounds: 1 });
  untriedPolicies.delete(policy.policy);
}

/** What a run failed with, and a thread's end for want of memory in words of ours: Node's say nothing about what to do. */
export function describe(error: unknown): RunError {
  const known = error instanceof TsallisError || error instanceof LabError;
  if (error instanceof Error && "code" in error && /^ERR_WORKER_OUT_OF_MEMORY$/.test(String(error.code)))
    return { code: "ERR_MEMORY", message: OUT_OF_MEMORY };
  return { code: known ? error.code : null, message: error instanceof Error ? error.message : String(error) };
}

const OUT_OF_MEMORY =
  "the thread that played it ran out of memory; play fewer runs at once (--workers, or --concurrency of a worker), or give more memory to each by NODE_OPTIONS=--max-old-space-size=8192 (in MB)";
