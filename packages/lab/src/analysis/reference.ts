import { mean } from "tsallis/statistics";
import type { BySeed } from "../statistics/pairedComparison.js";

/** The regret that the policies of an environment are compared with: that of the best policy, picked so that luck does not count. */
export interface Reference {
  readonly regret: number;
  /** The policy behind the regret: in the first half of the seeds, and in the second. */
  readonly policies: readonly [first: string, second: string];
  /** Whether the policy was picked on other seeds than those it is compared on; false with a single seed. */
  readonly apart: boolean;
}

/**
 * Among equally good policies, the one that comes first on some seeds was lucky there. If the best policy were picked on the seeds it is compared on,
 * all others would look worse than they are. So the reference on each half of the seeds, in ascending order, is the policy whose mean regret is least
 * on the other half, and the regret is the mean over all seeds. With an odd number of seeds the first half has one more. Only a policy that completed
 * every seed that any policy completed can be picked; null if there is none.
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

/** The first of several equal candidates. */
function least<T extends { readonly on: number }>(candidates: readonly T[]): T {
  return candidates.reduce((best, each) => (each.on < best.on ? each : best));
}
