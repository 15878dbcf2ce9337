import type { Analysis } from "../../analysis/analysis.js";
import type { Profile } from "../../analysis/profile.js";
import { formatCount } from "../../format/formatNumber.js";
import { formatShort } from "../../format/formatShort.js";
import type { Report } from "../figures/drawReport.js";
import { figureBlock } from "./figureBlock.js";
import { type Html, html } from "./html.js";
import { type ProfileKey, profileKey, profileMatrix, profileTable } from "./profileTables.js";

/** How the policies do across the environments. */
export function profileSection({ analysis, across }: Report): Html | null {
  const { profiles } = analysis;
  if (profiles === null) return null;
  const { sound, broken } = profiles;
  const key = profileKey(analysis);
  const curves = across && figureBlock(across);
  // With few environments there is room for every ratio beside the curves.
  const every = html`<div><h3>Every ratio</h3>${profileMatrix(profiles, key)}</div>`;
  return html`<section aria-labelledby="Across">
<h2 id="Across">Across environments</h2>
<p>Each ratio is a policy's regret at the horizon divided by that of the best policy in the same environment: 2 means twice the regret of the best. Regret here is the mean regret against the best arm of each round, which is never negative. For each half of the seeds, the best policy is the one with the least mean regret on the other half, because a policy picked on the same seeds would owe its place partly to luck. A ratio may therefore be below 1.${profiles.onOneSeed ? " With one seed there is no other half, so the best policy is picked on that seed, and luck counts." : ""}</p>
${profileTable(captionOf(sound), sound, key)}
${analysis.manyEnvironments ? html`<div class="single">${curves}</div>${broken && apart(broken, key)}${every}` : html`<div class="lead"><div>${curves}</div><div>${every}</div></div>${broken && apart(broken, key)}`}
${leftOut(analysis)}
</section>`;
}

/** Environments without ratios, and why. */
function leftOut({ groups, profiles, frozen }: Analysis): Html | null {
  const ratios = new Set([...profiles!.sound, ...(profiles!.broken ?? [])].flatMap((entry) => [...entry.ratios.keys()]));
  const missing = groups.filter(({ sweep, environment }) => sweep === null && !ratios.has(environment));
  if (missing.length === 0) return null;
  const policies = Object.keys(frozen.experiment.policies).length;
  const reasons = missing.map(
    ({ title, members, standing }) =>
      `${title} (${members.length < policies ? "not played by every policy" : standing === null ? "no run completed" : "the best policy has no regret to divide by"})`,
  );
  return html`<p class="note">Without ratios: ${reasons.join(", ")}.</p>`;
}

function apart(broken: Profile, key: ProfileKey): Html {
  return html`<h3>Where truncated non-negativity is broken</h3>
<p>These environments are not counted above, because their optimal arms violate an assumption of the paper.</p>
${profileTable(captionOf(broken), broken, key)}`;
}

/** The headline: which policy comes closest to the best everywhere, and which one does so without knowing any parameter. */
export function profileFinding(analysis: Analysis): Html | null {
  if (analysis.profiles === null) return null;
  const { sound } = analysis.profiles;
  const { told } = profileKey(analysis);
  const closest = sound[0]!;
  const untold = sound.find(({ policy }) => told.get(policy) === "nothing");
  const numbers = ({ median, worst }: Profile[number]) =>
    html`${formatShort(median)} times its regret in the median environment, ${formatShort(worst.ratio)} times at worst (${worst.environment})`;
  const other =
    untold === undefined || untold === closest
      ? null
      : html` Of the policies that need no parameters, <b>${untold.policy}</b> comes closest: ${numbers(untold)}.`;
  return html`<li><span class="verdict none">overall</span> <strong><a href="#Across">${counted(sound)}</a></strong>: <b>${closest.policy}</b>, which needs to know ${told.get(closest.policy)!.replace(/, (?=[^,]*$)/, " and ")}, comes closest to the best: ${numbers(closest)}.${other}</li>`;
}

function captionOf(profile: Profile): string {
  return `Ratio to the best policy in ${counted(profile)}, the largest share of seeds that never learned, and in how many environments the ratio is at most 1.25 and at most 2`;
}

function counted(profile: Profile): string {
  const count = profile[0]!.ratios.size;
  return `${formatCount(count)} ${count === 1 ? "environment" : "environments"}`;
}
