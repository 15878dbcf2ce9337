import type { Analysis } from "../../analysis/analysis.js";
import type { Profile } from "../../analysis/profile.js";
import { formatCount, formatNumber } from "../../format/formatNumber.js";
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
  return html`<section aria-labelledby="Across">
<h2 id="Across">Across environments</h2>
<p>A policy's regret at the horizon over that of the best policy of the same environment: 2 is twice the regret of the best. It is the mean regret against the best arm of each round, which is never negative. For each half of the seeds the best policy is the one with the least mean regret on the other half: picked on the same seeds, it would be a lucky one. So a ratio may be below 1.${profiles.onOneSeed ? " With one seed there is no other half: there the best policy is picked on that seed, luck and all." : ""}</p>
${profileTable(captionOf(sound), sound, key)}
<div class="single">${across && figureBlock(across)}</div>
${broken && apart(broken, key)}
<h3>Every ratio</h3>
${profileMatrix(profiles, key)}
</section>`;
}

function apart(broken: Profile, key: ProfileKey): Html {
  return html`<h3>Where truncated non-negativity is broken</h3>
<p>Not counted above: here the optimal arm's losses are not what the paper assumes them to be.</p>
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
    html`${formatNumber(median)} times its regret in the median environment, ${formatNumber(worst.ratio)} times at worst (${worst.environment})`;
  const other =
    untold === undefined || untold === closest ? null : html` Of those that are told nothing, <b>${untold.policy}</b> does: ${numbers(untold)}.`;
  return html`<li><span class="verdict none">overall</span> <strong><a href="#Across">${counted(sound)}</a></strong>: <b>${closest.policy}</b>, which is told ${told.get(closest.policy)!.replace(/, (?=[^,]*$)/, " and ")}, comes closest to the best: ${numbers(closest)}.${other}</li>`;
}

function captionOf(profile: Profile): string {
  return `Ratio to the best policy in ${counted(profile)}, the largest share of seeds that never learned, and in how many environments the ratio is at most 1.25 and at most 2`;
}

function counted(profile: Profile): string {
  const count = profile[0]!.ratios.size;
  return `${formatCount(count)} ${count === 1 ? "environment" : "environments"}`;
}
