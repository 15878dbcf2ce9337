import type { Trace } from "../run/runResult.js";

/** A policy with more than this part of uniform play's regret plays practically blindly. */
const PART = 0.5;

/**
 * The share of runs that end without having learned: between the last two checkpoints, their regret against the best arm of each round is more than
 * half of the expected regret of uniform play. A mean over seeds does not distinguish a policy that is always mediocre from one that is mostly good
 * and sometimes stuck for ever. Null if there is no run, or if uniform play has no regret (or one too large for a double) to compare with.
 */
export function neverLearned(traces: readonly Pick<Trace, "dynamicRegret">[], uniform: number): number | null {
  if (traces.length === 0 || !(uniform > 0 && uniform < Infinity)) return null;
  const stuck = traces.filter(({ dynamicRegret }) => dynamicRegret.at(-1)! - dynamicRegret.at(-2)! > PART * uniform);
  return stuck.length / traces.length;
}
