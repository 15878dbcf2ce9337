import type { Trace } from "../run/runResult.js";

/** Who has more than this part of uniform play's regret plays, as good as, blindly. */
const PART = 0.5;

/**
 * The share of runs that end without having learnt: their regret against the best arm of each round, between the last two checkpoints, is more than half of what
 * uniform play has there in expectation. A mean over seeds does not tell a policy that is always mediocre from one that is mostly good and sometimes stuck for ever.
 * Null without a run, and where uniform play has no regret (or one beyond the doubles) to compare with.
 */
export function neverLearned(traces: readonly Pick<Trace, "dynamicRegret">[], uniform: number): number | null {
  if (traces.length === 0 || !(uniform > 0 && uniform < Infinity)) return null;
  const stuck = traces.filter(({ dynamicRegret }) => dynamicRegret.at(-1)! - dynamicRegret.at(-2)! > PART * uniform);
  return stuck.length / traces.length;
}
