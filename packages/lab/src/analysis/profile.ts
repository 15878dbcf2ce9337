import type { BySeed } from "../statistics/matchedSeeds.js";
import { mean } from "../statistics/mean.js";
import { quantile } from "../statistics/quantile.js";
import { referenceOf } from "./reference.js";

/** The input of a profile: a policy in an environment, outside of sweeps. */
export interface Played {
  readonly environment: string;
  readonly policy: string;
  /** Regret against the best arm of each round, at the horizon, for the completed runs. */
  readonly regrets: BySeed;
  /** The share of these runs that end without having learned; null if unknown. */
  readonly neverLearned: number | null;
}

/** How close a policy comes to the best policy of each environment. */
export interface ProfileEntry {
  readonly policy: string;
  /**
   * Its regret divided by the reference's, by environment. A ratio is below 1 if the policy does better than the reference, and infinite if no run
   * completed.
   */
  readonly ratios: ReadonlyMap<string, number>;
  readonly median: number;
  readonly worst: { readonly ratio: number; readonly environment: string };
  /** The share of its runs that never learned, in the same environments. */
  readonly neverLearned: ReadonlyMap<string, number | null>;
  /** The largest of these shares; null if all are unknown. */
  readonly leastLearned: { readonly share: number; readonly environment: string } | null;
}

/** From the smallest median ratio to the largest. */
export type Profile = readonly ProfileEntry[];

/** A profile of fewer environments than this summarises nothing. */
export const FEWEST_ENVIRONMENTS = 3;

/**
 * A performance profile (Dolan and More 2002): regret relative to the best policy of each environment, which is picked on other seeds than those it
 * is compared on. The profile compares the regret against the best arm of each round, because pseudo-regret can be negative if the best arm changes,
 * and ratios of it would then mean nothing. An environment whose reference has no regret is left out. Null if there are fewer than `fewest`
 * environments or two policies.
 */
export function profile(played: readonly Played[], fewest = FEWEST_ENVIRONMENTS): Profile | null {
  const policies = [...new Set(played.map(({ policy }) => policy))];
  const environments = [...new Set(played.map(({ environment }) => environment))];
  const rowOf = new Map(played.map((row) => [key(row.environment, row.policy), row]));
  const compared = environments.flatMap((environment) => {
    const rows = played.filter((row) => row.environment === environment);
    const reference = referenceOf(new Map(rows.map(({ policy, regrets }) => [policy, regrets])))?.regret ?? 0;
    return reference > 0 && reference < Infinity ? [{ environment, reference }] : [];
  });
  if (compared.length < fewest || policies.length < 2) return null;
  return policies
    .map((policy): ProfileEntry => {
      const ratios = new Map(compared.map(({ environment, reference }) => [environment, regretOf(rowOf.get(key(environment, policy))) / reference]));
      const neverLearned = new Map(compared.map(({ environment }) => [environment, rowOf.get(key(environment, policy))?.neverLearned ?? null]));
      const [environment, ratio] = [...ratios].reduce((worst, each) => (each[1] > worst[1] ? each : worst));
      return {
        policy,
        ratios,
        median: medianOf([...ratios.values()]),
        worst: { environment, ratio },
        neverLearned,
        leastLearned: largest(neverLearned),
      };
    })
    .sort((a, b) => (a.median < b.median ? -1 : a.median > b.median ? 1 : 0));
}

function regretOf(row: Played | undefined): number {
  return row === undefined || row.regrets.size === 0 ? Infinity : mean([...row.regrets.values()]);
}

function largest(shares: ReadonlyMap<string, number | null>): ProfileEntry["leastLearned"] {
  const known = [...shares].flatMap(([environment, share]) => (share === null ? [] : [{ environment, share }]));
  return known.length === 0 ? null : known.reduce((worst, each) => (each.share > worst.share ? each : worst));
}

/** Two infinite ratios cannot be interpolated. */
function medianOf(ratios: readonly number[]): number {
  const finite = ratios.map((ratio) => Math.min(ratio, Number.MAX_VALUE));
  const median = quantile(finite, 0.5);
  return median > Number.MAX_VALUE / 4 ? Infinity : median;
}

function key(environment: string, policy: string): string {
  return JSON.stringify([environment, policy]);
}
