import { formatPercent } from "tsallis/statistics";
import type { Group } from "../../analysis/group.js";
import type { Lead, Rival } from "../../analysis/lead.js";
import type { Member } from "../../analysis/member.js";
import type { Sweep } from "../../analysis/sweep.js";
import { fixed, formatShort, formatShortInterval } from "../../format/formatShort.js";
import { type Html, html } from "./html.js";

/** A list with more names than this is shortened to a few names and a count. */
const MOST_NAMES = 4;

/** What the data say about one group, in a sentence or two. */
export function finding(group: Group): Html {
  const { lead } = group;
  const where = html`<a href="#${group.slug}">${group.title}</a>`;
  if (lead === null) return html`<li><span class="verdict none">no data</span> <strong>${where}</strong>: no run completed.</li>`;
  const { first, final, rivals, verdict } = lead;
  const has = html`<b>${first.label}</b> has the least regret, ${formatShort(final.mean)} on average ${around(lead)}`;
  if (verdict === "alone")
    return html`<li><span class="verdict none">alone</span> <strong>${where}</strong>: ${first.label} has a regret of ${formatShort(final.mean)} on average ${around(lead)}; there was no policy to compare it with.</li>`;
  const next = rivals[0]!;
  if (verdict === "clear") {
    return html`<li><span class="verdict clear">clear</span> <strong>${where}</strong>: ${has}. On the same losses all other policies have more regret, beyond noise; the next one, ${next.member.label}, has ${byHowMuch(next)} more, and ${first.label} is better in ${formatPercent(1 - next.comparison.probability.estimate)} of the seeds.</li>`;
  }
  const doubts = [undistinguished(first, rivals), unmatched(lead.uncompared)].filter((doubt) => doubt !== null);
  return html`<li><span class="verdict open">open</span> <strong>${where}</strong>: ${has}, but ${doubts.map((doubt, i) => html`${i === 0 ? "" : ", and "}${doubt}`)}.</li>`;
}

/** Which rivals the seeds do not tell from the first; null if there are none. */
function undistinguished(first: Member, rivals: readonly Rival[]): Html | null {
  const unclear = rivals.filter(({ clear }) => !clear);
  const [nearest] = unclear;
  if (nearest === undefined) return null;
  const { estimate, low, high } = nearest.comparison.meanDifference;
  const names = unclear.map(({ member }) => member.label);
  if (estimate < 0)
    return html`on the seeds that both completed, ${names[0]!} has ${formatShort(-estimate)} ${small(-high, -low)} less${names.length === 1 ? "" : html`; ${listed(names.slice(1))} cannot be distinguished from it either`}`;
  const seeds = first.row.seeds === 1 ? "one seed does" : `${first.row.seeds} seeds do`;
  return html`${seeds} not distinguish it from ${listed(names)}${names.length === 1 ? ", which has" : `: ${names[0]} has`} ${byHowMuch(nearest)} more`;
}

function unmatched(members: readonly Member[]): Html | null {
  return members.length === 0 ? null : html`no seed was completed by it and by ${listed(members.map(({ label }) => label))}`;
}

/** What the data say about growth along an axis. */
export function sweepFinding({ title, axis, slug, policies }: Sweep): Html | null {
  const fitted = policies.flatMap(({ label, slope }) => (slope === null ? [] : [{ label, slope }]));
  if (fitted.length === 0) return null;
  const none = policies.flatMap(({ label, slope }) => (slope === null ? [label] : []));
  const parts = fitted.map(({ label, slope: { estimate, low, high, theory } }, index) => {
    const proved = theory === null ? "" : `, its bound with ${fixed(theory)}`;
    return html`${index === 0 ? "" : "; "}<b>${label}</b> with ${fixed(estimate)} <span class="interval">[${fixed(low)}, ${fixed(high)}]</span>${proved}`;
  });
  return html`<li><span class="verdict none">power</span> <strong><a href="#${slug}">${title}</a></strong>: regret at the horizon grows with a power of ${axis}: ${parts}${none.length === 0 ? "" : `; ${listed(none)} ${none.length === 1 ? "has none, because its" : "have none, because their"} regret is not positive everywhere`}.</li>`;
}

function byHowMuch({ comparison: { meanDifference } }: Rival): Html {
  return html`${formatShort(meanDifference.estimate)} ${small(meanDifference.low, meanDifference.high)}`;
}

/** The interval of the first policy's mean, and the share of its runs that are stuck. */
function around({ first: { row }, final }: Lead): Html {
  const share = row.stuck === null ? "" : `, ${formatPercent(row.stuck)} of its runs stuck`;
  return html`${row.seeds === 1 ? html`<span class="interval">[– one seed]</span>` : small(final.low, final.high)}${share}`;
}

function small(low: number, high: number): Html {
  return html`<span class="interval">${formatShortInterval(low, high)}</span>`;
}

function listed(names: readonly string[]): string {
  const shown = names.length <= MOST_NAMES ? names : [...names.slice(0, MOST_NAMES - 1), `${names.length - MOST_NAMES + 1} others`];
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
