import { join } from "node:path";
import { type FrozenExperiment, formatNumber, formatPercent, type Profile, type ProfileEntry, type Profiles, toldTo } from "@tsallis/lab";
import { emphasised } from "./emphasis.js";
import { shownPath } from "./shownPath.js";
import { formatTable } from "./textTable.js";

const HEAD = ["policy", "needs to know", "median", "worst", "where", "never learned, where"];
/** The columns that hold words. */
const WORDS = [0, 1, 4, 5];

/** How the policies do across many environments, in place of a ranking for each. */
export function profileText({ sound, broken, onOneSeed }: Profiles, { experiment }: FrozenExperiment, directory: string): string {
  const told = (policy: string) => toldTo(experiment.policies[policy]!);
  const apart =
    broken === null ? "" : `\nListed apart, since truncated non-negativity is broken: ${environmentsOf(broken)}\n${tableOf(broken, told)}`;
  const picked = onOneSeed
    ? "With one seed, the best policy of an environment is picked on that seed, so its ratio includes luck."
    : "The best policy of an environment is picked on the other half of the seeds, so a ratio may be below 1.";
  return `Regret divided by that of the best policy of each environment: ${environmentsOf(sound)}
${tableOf(sound, told)}${apart}${picked}
Never learned: the largest share of seeds that end with more than half of uniform play's regret per round.
Rankings of each environment: ${shownPath(join(directory, "ranking.csv"))}
`;
}

function tableOf(profile: Profile, told: (policy: string) => string): string {
  const rows = profile.map(({ policy, median, worst, leastLearned }, i) => {
    const cells = [policy, told(policy), formatNumber(median), formatNumber(worst.ratio), worst.environment, leastLearnedText(leastLearned)];
    return i === 0 ? cells.map(emphasised) : cells;
  });
  return formatTable(HEAD, rows, WORDS);
}

function leastLearnedText(found: ProfileEntry["leastLearned"]): string {
  if (found === null) return "-";
  return found.share > 0 ? `${formatPercent(found.share)}, ${found.environment}` : formatPercent(0);
}

function environmentsOf(profile: Profile): string {
  const count = profile[0]!.ratios.size;
  return count === 1 ? "1 environment" : `${count} environments`;
}
