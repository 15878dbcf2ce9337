import { show, TsallisError } from "../errors.js";
import { completeOptions, type Parameters, requireRecord } from "../parameters.js";
import type { BoundProblem } from "./bound.js";

const PARAMETERS = {
  arms: { type: "integer", atLeast: 1, description: "number of arms" },
  horizon: { type: "integer", atLeast: 1, description: "number of rounds" },
  alpha: { type: "number", above: 1, atMost: 2, description: "moment order" },
  sigma: { type: "number", above: 0, description: "sigma^alpha bounds E|X|^alpha" },
} as const satisfies Parameters;

const GAPS = {
  gaps: { type: "numbers", minimum: 1, atLeast: 0, description: "per arm, the gap to the best mean; an instance-dependent bound needs them" },
} as const satisfies Parameters;

/** A problem from outside, checked; the list of gaps is empty if none are given. */
export function checkProblem(problem: BoundProblem, needsGaps: boolean): Required<BoundProblem> {
  const { gaps: given, ...rest } = requireRecord(problem, "problem");
  const completed = completeOptions(PARAMETERS, rest);
  if (given === undefined && !needsGaps) return { ...completed, gaps: [] };
  const { gaps } = completeOptions(GAPS, { gaps: given });
  if (gaps.length !== completed.arms) {
    throw new TsallisError("ERR_PARAMETER", "gaps", given, `gaps must have one entry per arm: got ${gaps.length} for ${completed.arms} arms`);
  }
  if (!gaps.includes(0)) {
    throw new TsallisError("ERR_PARAMETER", "gaps", given, `gaps must contain a 0 for the best arm, got ${show(given)}`);
  }
  return { ...completed, gaps };
}
