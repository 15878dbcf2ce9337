import type { BySeed } from "../statistics/matchedSeeds.js";
import { mean } from "../statistics/mean.js";

/** The regret that the policies of an environment are measured by: that of its best policy, which luck did not pick. */
export interface Reference {
  readonly regret: number;
  /** Whose regret it is: in the first half of the seeds, and in the second. */
  readonly policies: readonly [first: string, second: string];
  /** Whether it was picked on other seeds than those it is compared on: not if there is one seed only. */
  readonly apart: boolean;
}

/**
 * Of many policies that are equally good, the one that comes first on some seeds was lucky there: a best policy that is picked on the seeds that the others are compared
 * on makes them all look worse than they are. So each half of the seeds, in ascending order, has the policy for its reference whose mean regret is least on the
 * other half; the regret is the mean over all seeds. Of an odd number of seeds the first half has one more. Only a policy that completed every seed that anybody did
 * can be picked; null where there is none.
 */
export function referenceOf(regrets: ReadonlyMap<string, BySeed>): Reference | null {
  const seeds = [...new Set([...regrets.values()].flatMap((bySeed) => [...bySeed.keys()]))].sort((a, b) => a - b);
  const whole = [...regrets].filter(([, bySeed]) => bySeed.size === seeds.length);
  if (seeds.length === 0 || whole.length === 0) return null;
  const bestOn = (half: readonly number[]) =>
    least(whole.map(([policy, bySeed]) => ({ policy, bySeed, on: mean(half.map((seed) => bySeed.get(seed)!)) })));
  const middle = Math.ceil(seeds.length / 2);
  const [first, second] = [seeds.slice(0, middle), seeds.slice(middle)];
  const apart = second.length > 0;
  const [one, other] = [bestOn(apart ? second : first), bestOn(first)];
  const regret = mean([...first.map((seed) => one.bySeed.get(seed)!), ...second.map((seed) => other.bySeed.get(seed)!)]);
  return { regret, policies: [one.policy, other.policy], apart };
}

/** Of several, the first. */
function least<T extends { readonly on: number }>(candidates: readonly T[]): T {
  return candidates.reduce((best, each) => (each.on < best.on ? each : best));
}
