/** Above this part of uniform play's regret, a policy plays practically blindly. */
const PART = 0.5;

/**
 * Whether a run is stuck: over the last fifth of the rounds, its regret against the best arm of each round is more than half of the expected regret of
 * uniform play. A mean over seeds does not distinguish a policy that is always mediocre from one that is mostly good and sometimes stuck for ever.
 */
export function isStuck(lastFifthRegret: number, uniformRegret: number): boolean {
  return lastFifthRegret > PART * uniformRegret;
}
