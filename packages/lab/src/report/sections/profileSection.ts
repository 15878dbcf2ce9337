import { formatCount, formatPercent } from "tsallis/statistics";
import type { Analysis } from "../../analysis/analysis.js";
import { NEGLIGIBLE, type Profile } from "../../analysis/profile.js";
import { formatShort } from "../../format/formatShort.js";
import type { Report } from "../figures/drawReport.js";
import { acrossTable } from "./acrossTable.js";
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
  // With few environments there is room for every share next to the curves.
  const every = html`<div><h3>Every share</h3>${profileMatrix(profiles, key)}</div>`;
  return html`<section aria-labelledby="Across">
<h2 id="Across">Across environments</h2>
<p>A share is a policy's regret at the horizon divided by the expected regret of uniform play: 1 is chance. Regret here is the mean regret against the best arm of each round, which is never negative. A ratio is that regret divided by the best policy's in the same environment: 2 means twice the regret of the best. Ratios are given only where the policy's share is above ${NEGLIGIBLE}: below it, the regret is small whatever the ratio. For each half of the seeds, the best policy is the one with the least mean regret on the other half, because a policy picked on the same seeds would owe its place partly to luck. A ratio may therefore be below 1.${profiles.onOneSeed ? " With one seed there is no other half, so the best policy is picked on that seed, and luck counts." : ""}</p>
${profileTable(captionOf(sound), sound, key)}
${analysis.manyEnvironments ? html`<div class="single">${curves}</div>${broken && apart(broken, key)}${every}` : html`<div class="lead"><div>${curves}</div><div>${every}</div></div>${broken && apart(broken, key)}`}
${analysis.across && acrossTable(analysis.across, key.policies)}
${leftOut(analysis)}
</section>`;
}

/** Environments that are not counted, and why. */
function leftOut({ groups, profiles, frozen }: Analysis): Html | null {
  const counted = new Set([...profiles!.sound, ...(profiles!.broken ?? [])].flatMap(({ cells }) => [...cells.keys()]));
  const missing = groups.filter(({ sweep, environment }) => sweep === null && !counted.has(environment));
  if (missing.length === 0) return null;
  const policies = Object.keys(frozen.experiment.policies).length;
  const reasons = missing.map(
    ({ title, members, lead }) =>
      `${title} (${members.length < policies ? "not played by every policy" : lead === null ? "no run completed" : "uniform play has no regret to divide by, or none that is known"})`,
  );
  return html`<p class="note">Not counted: ${reasons.join(", ")}.</p>`;
}

function apart(broken: Profile, key: ProfileKey): Html {
  return html`<h3>Where truncated non-negativity is broken</h3>
<p>These environments are not counted above, because their optimal arms violate an assumption of the paper.</p>
${profileTable(captionOf(broken), broken, key)}`;
}

/** The headline: which policy has the least regret everywhere, and which one among those that need no parameters. */
export function profileFinding(analysis: Analysis): Html | null {
  if (analysis.profiles === null) return null;
  const { sound } = analysis.profiles;
  const { requires } = profileKey(analysis);
  const closest = sound[0]!;
  const parameterFree = sound.find(({ policy }) => requires.get(policy) === "nothing");
  const numbers = ({ share, stuck, median, worst }: Profile[number]) => {
    const stuckRuns = stuck === null ? "" : `, with ${formatPercent(stuck)} of its runs stuck`;
    const ratios =
      median === null
        ? ""
        : `; where that share is above ${NEGLIGIBLE}, ${formatShort(median)} times the best policy's regret in the median environment, ${formatShort(worst!.ratio)} times at worst (${worst!.environment})`;
    return `${formatShort(share)} of uniform play's on average${stuckRuns}${ratios}`;
  };
  const other =
    parameterFree === undefined || parameterFree === closest
      ? null
      : html` Of the policies that need no parameters, <b>${parameterFree.policy}</b> has the least: ${numbers(parameterFree)}.`;
  return html`<li><span class="verdict none">overall</span> <strong><a href="#Across">${counted(sound)}</a></strong>: <b>${closest.policy}</b>, which needs to know ${requires.get(closest.policy)!.replace(/, (?=[^,]*$)/, " and ")}, has the least regret: ${numbers(closest)}.${other}</li>`;
}

function captionOf(profile: Profile): string {
  return `Mean share of uniform play's regret in ${counted(profile)}, the share of stuck runs, the ratio to the best policy where the share is above ${NEGLIGIBLE}, and in how many environments the ratio is at most 1.25 and at most 2 or the share is not above ${NEGLIGIBLE}`;
}

function counted(profile: Profile): string {
  const count = profile[0]!.cells.size;
  return `${formatCount(count)} ${count === 1 ? "environment" : "environments"}`;
}
