/** A policy with more than this part of uniform play's regret plays practically blindly. */
const PART = 0.5;

/**
 * The share of runs that end without having learned: between the last two checkpoints, their regret against the best arm of each round is more than
 * half of the expected regret of uniform play. A mean over seeds does not distinguish a policy that is always mediocre from one that is mostly good
 * and sometimes stuck for ever. `steps`: what each run added between the two. Null if there is no run, or if uniform play has no regret (or one too
 * large for a double) to compare with.
 */
export function neverLearned(steps: Float64Array, uniform: number): number | null {
  if (steps.length === 0 || !(uniform > 0 && uniform < Infinity)) return null;
  return steps.filter((step) => step > PART * uniform).length / steps.length;
}
