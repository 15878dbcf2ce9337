import { join } from "node:path";
import { type FrozenExperiment, type Profile, type ProfileEntry, type Profiles, requiredParameters } from "@tsallis/lab";
import { formatNumber, formatPercent } from "tsallis/statistics";
import { emphasised, shownPath } from "./terminal.js";
import { formatTable } from "./textTable.js";

const HEAD = ["policy", "needs to know", "share", "stuck, most in", "median", "worst", "where"];
/** Some hold words; the others, and where a policy is worst, go first. */
const NARROWING = { wrapped: [0, 1, 3, 6], dropped: [6, 4, 1] };

/** How the policies do across many environments, in place of a ranking for each. */
export function profileText({ sound, broken, onOneSeed }: Profiles, { experiment }: FrozenExperiment, directory: string): string {
  const requires = (policy: string) => requiredParameters(experiment.policies[policy]!);
  const separate =
    broken === null ? "" : `\nListed separately, because truncated non-negativity is broken: ${environmentsOf(broken)}\n${tableOf(broken, requires)}`;
  const picked = onOneSeed
    ? "With one seed, the best policy of an environment is picked on that seed, so its ratio includes luck."
    : "The best policy of an environment is picked on the other half of the seeds, so a ratio may be below 1.";
  return `Regret against the best arm of each round: ${environmentsOf(sound)}
${tableOf(sound, requires)}${separate}Share: regret divided by that of uniform play, the mean over the environments.
Stuck: the share of runs with more than half of uniform play's regret in the last fifth of the rounds.
Median, worst: regret divided by that of the best policy, over the environments with a share above 0.05.
${picked}
Rankings of each environment: ${shownPath(join(directory, "ranking.csv"))}
`;
}

function tableOf(profile: Profile, requires: (policy: string) => string): string {
  const rows = profile.map(({ policy, share, median, worst, ...stuck }, i) => {
    const ratios = median === null ? ["-", "-", "-"] : [formatNumber(median), formatNumber(worst!.ratio), worst!.environment];
    const cells = [policy, requires(policy), formatNumber(share), stuckText(stuck), ...ratios];
    return i === 0 ? cells.map(emphasised) : cells;
  });
  return formatTable(HEAD, rows, NARROWING);
}

function stuckText({ stuck, mostStuck }: Pick<ProfileEntry, "stuck" | "mostStuck">): string {
  if (stuck === null || mostStuck === null) return "-";
  return stuck > 0 ? `${formatPercent(stuck)}, ${mostStuck.environment}` : formatPercent(0);
}

function environmentsOf(profile: Profile): string {
  const count = profile[0]!.cells.size;
  return count === 1 ? "1 environment" : `${count} environments`;
}
