import { mean, quantile } from "tsallis/statistics";
import type { BySeed } from "../statistics/pairedComparison.js";
import { referenceOf } from "./reference.js";

/** The input of a profile: a policy in an environment, outside of sweeps. */
export interface Played {
  readonly environment: string;
  readonly policy: string;
  /** Regret against the best arm of each round, at the horizon, for the completed runs. */
  readonly regrets: BySeed;
  /** The mean of these as a share of uniform play's; null if no run completed, and where uniform play has no regret. */
  readonly share: number | null;
  /** The share of these runs that are stuck; null if unknown. */
  readonly stuck: number | null;
}

/** A policy in one environment. */
export interface ProfileCell {
  /** Its regret divided by uniform play's; infinite if no run completed. */
  readonly share: number;
  /** The share of its runs that are stuck; null if unknown. */
  readonly stuck: number | null;
  /**
   * Its regret divided by the reference's: below 1 if the policy does better than the reference, infinite if no run completed. Null if the share is at
   * most NEGLIGIBLE, and if the reference has no regret.
   */
  readonly ratio: number | null;
}

/** How a policy does across environments. */
export interface ProfileEntry {
  readonly policy: string;
  /** By environment. */
  readonly cells: ReadonlyMap<string, ProfileCell>;
  /** The mean of its shares of uniform play's regret. */
  readonly share: number;
  /** The share of its runs that are stuck, mean over the environments; null if unknown in all. */
  readonly stuck: number | null;
  /** Where the most of its runs are stuck; null if unknown in all. */
  readonly mostStuck: { readonly share: number; readonly environment: string } | null;
  /** Of its ratios; null if it has none. */
  readonly median: number | null;
  readonly worst: { readonly ratio: number; readonly environment: string } | null;
}

/** From the smallest mean share to the largest. */
export type Profile = readonly ProfileEntry[];

/** A profile of fewer environments than this summarises nothing. */
export const FEWEST_ENVIRONMENTS = 3;

/** With at most this share of uniform play's regret a policy does well, however many times the best policy's regret that is: both may be a few unlucky rounds. */
export const NEGLIGIBLE = 0.05;

/**
 * Policies across environments, by two yardsticks: regret as a share of uniform play's; and regret relative to the best policy of each environment (a
 * performance profile, Dolan and More 2002), which is picked on other seeds than those it is compared on. Regret is that against the best arm of each
 * round, because pseudo-regret can be negative if the best arm changes. An environment in which uniform play has no regret is left out. Null if there
 * are fewer than `fewest` environments or two policies.
 */
export function profile(played: readonly Played[], fewest = FEWEST_ENVIRONMENTS): Profile | null {
  const policies = [...new Set(played.map(({ policy }) => policy))];
  const environments = [...new Set(played.map(({ environment }) => environment))];
  const compared = environments.flatMap((environment) => {
    const rows = played.filter((row) => row.environment === environment);
    if (rows.every(({ share }) => share === null)) return [];
    const reference = referenceOf(new Map(rows.map(({ policy, regrets }) => [policy, regrets])))?.regret ?? 0;
    return [{ environment, cellOf: new Map(rows.map((row) => [row.policy, cell(row, reference)])) }];
  });
  if (compared.length < fewest || policies.length < 2) return null;
  return policies
    .map((policy) => entry(policy, new Map(compared.map(({ environment, cellOf }) => [environment, cellOf.get(policy) ?? NOT_PLAYED]))))
    .sort((a, b) => (a.share < b.share ? -1 : a.share > b.share ? 1 : 0));
}

/** The least multiple of the best policy's regret within which a policy counts as being: 0 if its share is negligible. */
export function distance({ share, ratio }: ProfileCell): number {
  return share <= NEGLIGIBLE ? 0 : (ratio ?? Infinity);
}

const NOT_PLAYED: ProfileCell = { share: Infinity, stuck: null, ratio: Infinity };

function cell({ regrets, share, stuck }: Played, reference: number): ProfileCell {
  if (share === null) return NOT_PLAYED;
  const hasRatio = share > NEGLIGIBLE && reference > 0 && reference < Infinity;
  return { share, stuck, ratio: hasRatio ? mean([...regrets.values()]) / reference : null };
}

function entry(policy: string, cells: ReadonlyMap<string, ProfileCell>): ProfileEntry {
  const all = [...cells].map(([environment, each]) => ({ environment, ...each }));
  const known = all.flatMap(({ environment, stuck }) => (stuck === null ? [] : [{ environment, share: stuck }]));
  const ratios = all.flatMap(({ environment, ratio }) => (ratio === null ? [] : [{ environment, ratio }]));
  return {
    policy,
    cells,
    share: mean(all.map(({ share }) => share)),
    stuck: known.length === 0 ? null : mean(known.map(({ share }) => share)),
    mostStuck: known.length === 0 ? null : known.reduce((most, each) => (each.share > most.share ? each : most)),
    median: ratios.length === 0 ? null : medianOf(ratios.map(({ ratio }) => ratio)),
    worst: ratios.length === 0 ? null : ratios.reduce((worst, each) => (each.ratio > worst.ratio ? each : worst)),
  };
}

/** Two infinite ratios cannot be interpolated. */
function medianOf(ratios: readonly number[]): number {
  const finite = ratios.map((ratio) => Math.min(ratio, Number.MAX_VALUE));
  const median = quantile(finite, 0.5);
  return median > Number.MAX_VALUE / 4 ? Infinity : median;
}
