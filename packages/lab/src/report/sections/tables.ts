import { formatPercent } from "tsallis/statistics";
import type { Group } from "../../analysis/group.js";
import type { SummaryRow } from "../../analysis/summary.js";
import { formatShort, formatShortInterval } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { swatch } from "./swatch.js";

/** A table in a box that scrolls, by keyboard too, so that the page does not. */
export function tableBox(caption: string, head: Html, body: readonly Html[]): Html {
  return html`<div class="box" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead>${head}</thead><tbody>${body}</tbody></table></div>`;
}

/** A name of more letters may be broken into lines. */
const LONGEST_UNBROKEN = 14;

export function policyCell(index: number, label: string): Html {
  return html`<th scope="row"><span class="policy${label.length <= LONGEST_UNBROKEN ? " short" : ""}">${swatch(index)}<span>${label}</span></span></th>`;
}

/** An interval over the seeds; one seed has none. */
function interval(low: number, high: number, seeds: number): Html {
  return seeds === 1 ? dash("one seed") : html`<span class="interval">${formatShortInterval(low, high)}</span>`;
}

/** By ascending mean regret at the horizon. */
export function rankingTable(group: Group): Html {
  const { lead } = group;
  // If one arm is best in every round, both regrets are the same number.
  const dynamic = group.ranked.some(({ row }) => row.checkpoints.at(-1)!.dynamicMean !== row.checkpoints.at(-1)!.mean);
  const rivals = new Map(lead?.rivals.map((rival) => [rival.member, rival]));
  const rows = group.ranked.map((member, place) => {
    const { row } = member;
    const final = row.checkpoints.at(-1)!;
    const rival = rivals.get(member);
    const difference = rival?.comparison.meanDifference;
    const missing = member === lead?.first ? html`<span class="interval">the first</span>` : dash("no seed in common");
    return html`<tr class="s${member.index}-row">${policyCell(member.index, member.label)}<td>${place + 1}</td><td><b>${formatShort(final.mean)}</b> ${interval(final.low, final.high, row.seeds)}</td><td>${shareText(row)}</td><td>${stuckText(row)}</td><td>${formatShort(final.median)} ${interval(final.q10, final.q90, row.seeds)}</td><td>${difference === undefined ? missing : html`${difference.estimate > 0 ? "+" : ""}${formatShort(difference.estimate)} ${interval(difference.low, difference.high, row.seeds)}`}</td><td>${rival === undefined ? "" : rival.clear ? html`<span class="verdict clear">clear</span>` : html`<span class="verdict open">open</span>`}</td><td>${rival === undefined ? "" : formatPercent(rival.comparison.probability.estimate)}</td><td>${formatShort(final.realizedMean)}</td>${dynamic ? html`<td>${formatShort(final.dynamicMean)}</td>` : null}<td>${row.seeds}${row.failed > 0 ? html` <span class="bad">(${row.failed} failed)</span>` : ""}</td></tr>`;
  });
  const none = group.members.filter((member) => !group.ranked.includes(member));
  const failed = none.map(
    ({ index, label, row }) =>
      html`<tr>${policyCell(index, label)}<td>–</td><td colspan="${dynamic ? 9 : 8}">${dash("no run completed")}</td><td>0 <span class="bad">(${row.failed} failed)</span></td></tr>`,
  );
  const first = lead?.first.label ?? "the first";
  return tableBox(
    `Ranking in ${group.title}, pseudo-regret at the horizon`,
    html`<tr><th scope="col">policy</th><th scope="col">rank</th><th scope="col">mean [95 %]</th><th scope="col">share</th><th scope="col">stuck</th><th scope="col">median [10 %, 90 %]</th><th scope="col">minus ${first} [95 %]</th><th scope="col">verdict</th><th scope="col">beats it in</th><th scope="col">realised mean</th>${dynamic ? html`<th scope="col">against each round's best</th>` : null}<th scope="col">seeds</th></tr>`,
    [...rows, ...failed],
  );
}

/** A policy's regret as a share of uniform play's, or why it is not known. */
export function shareText({ share, checkpoints }: SummaryRow): Html {
  return share === null ? whyUnknown(checkpoints) : html`${formatShort(share)}`;
}

/** The share of a policy's runs that are stuck, or why it is not known. */
export function stuckText({ stuck, checkpoints }: SummaryRow): Html {
  return stuck === null ? whyUnknown(checkpoints) : badShare(stuck);
}

function whyUnknown(checkpoints: SummaryRow["checkpoints"]): Html {
  return dash(checkpoints.length === 0 ? "no run completed" : "no arm is better");
}

/** A share of runs that should be 0. */
export function badShare(share: number): Html {
  return share > 0 ? html`<span class="bad">${formatPercent(share)}</span>` : html`${formatPercent(share)}`;
}
