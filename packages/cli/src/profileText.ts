import { join } from "node:path";
import { type FrozenExperiment, formatNumber, type Profile, type Profiles, toldTo } from "@tsallis/lab";
import { emphasised } from "./emphasis.js";
import { shownPath } from "./shownPath.js";
import { formatTable } from "./textTable.js";

/** How the policies do across many environments, in place of a ranking for each. */
export function profileText({ sound, broken }: Profiles, { experiment }: FrozenExperiment, directory: string): string {
  const told = (policy: string) => toldTo(experiment.policies[policy]!);
  const apart = broken === null ? "" : `\nApart, where truncated non-negativity is broken: ${environmentsOf(broken)}\n${tableOf(broken, told)}`;
  return `Regret over the least regret of each environment: ${environmentsOf(sound)}\n${tableOf(sound, told)}${apart}1 is the best policy of an environment. The rankings of each: ${shownPath(join(directory, "ranking.csv"))}\n`;
}

function tableOf(profile: Profile, told: (policy: string) => string): string {
  const rows = profile.map(({ policy, median, worst }, i) => {
    const cells = [policy, told(policy), formatNumber(median), formatNumber(worst.ratio), worst.environment];
    return i === 0 ? cells.map(emphasised) : cells;
  });
  return formatTable(["policy", "is told", "median", "worst", "where"], rows);
}

function environmentsOf(profile: Profile): string {
  const count = profile[0]!.ratios.size;
  return count === 1 ? "1 environment" : `${count} environments`;
}
