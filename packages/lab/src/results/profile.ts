import { quantile } from "../statistics/quantile.js";
import type { SummaryRow } from "./summary.js";

/** How close a policy comes to the best policy of each environment. */
export interface ProfileEntry {
  readonly policy: string;
  /** Its regret over the least regret there, by environment; at least 1. Infinite where no run of it completed. */
  readonly ratios: ReadonlyMap<string, number>;
  readonly median: number;
  readonly worst: { readonly ratio: number; readonly environment: string };
}

/** From the smallest median ratio to the largest. */
export type Profile = readonly ProfileEntry[];

/** With fewer environments there is nothing to sum up. */
export const FEWEST_ENVIRONMENTS = 3;

/**
 * A performance profile (Dolan and More 2002): regret relative to the best policy of each environment. It is the regret against the best arm of each round that is
 * compared, because pseudo-regret can be negative where the best arm changes, and ratios then mean nothing. An environment in which somebody has none at all is left
 * out. Null with fewer than `fewest` environments or two policies. `rows`: one value of a sweep at most.
 */
export function profile(rows: readonly SummaryRow[], fewest = FEWEST_ENVIRONMENTS): Profile | null {
  const environments = [...new Set(rows.map(({ environment }) => environment))];
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  const regretOf = new Map(rows.map((row) => [key(row.environment, row.policy), row.checkpoints.at(-1)?.dynamicMean ?? Infinity]));
  const least = new Map(
    environments.map((environment) => [environment, Math.min(...policies.map((policy) => regretOf.get(key(environment, policy)) ?? Infinity))]),
  );
  const compared = environments.filter((environment) => least.get(environment)! > 0 && least.get(environment)! < Infinity);
  if (compared.length < fewest || policies.length < 2) return null;
  return policies
    .map((policy): ProfileEntry => {
      const ratios = new Map(
        compared.map((environment) => [environment, (regretOf.get(key(environment, policy)) ?? Infinity) / least.get(environment)!]),
      );
      const [environment, ratio] = [...ratios].reduce((worst, each) => (each[1] > worst[1] ? each : worst));
      return { policy, ratios, median: medianOf([...ratios.values()]), worst: { environment, ratio } };
    })
    .sort((a, b) => (a.median < b.median ? -1 : a.median > b.median ? 1 : 0));
}

/** Between two infinite ratios there is nothing to interpolate. */
function medianOf(ratios: readonly number[]): number {
  const finite = ratios.map((ratio) => Math.min(ratio, Number.MAX_VALUE));
  const median = quantile(finite, 0.5);
  return median > Number.MAX_VALUE / 4 ? Infinity : median;
}

function key(environment: string, policy: string): string {
  return JSON.stringify([environment, policy]);
}
