import type { Assumption } from "tsallis";
import type { Group } from "../../analysis/group.js";
import { formatInterval, formatNumber, formatPercent } from "../../format/formatNumber.js";
import { type Html, html } from "./html.js";
import { swatch } from "./swatch.js";

/** A table in a box that scrolls, by keyboard too, so that the page does not. */
export function tableBox(caption: string, head: Html, body: readonly Html[]): Html {
  return html`<div class="box" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead>${head}</thead><tbody>${body}</tbody></table></div>`;
}

export function policyCell(index: number, label: string): Html {
  return html`<th scope="row">${swatch(index)} ${label}</th>`;
}

function interval(low: number, high: number): Html {
  return html`<span class="interval">${formatInterval(low, high)}</span>`;
}

/** By ascending mean regret at the horizon. */
export function rankingTable(group: Group): Html {
  const { standing } = group;
  // If one arm is best in every round, both regrets are the same number.
  const dynamic = group.ranked.some(({ row }) => row.checkpoints.at(-1)!.dynamicMean !== row.checkpoints.at(-1)!.mean);
  const rivals = new Map(standing?.rivals.map((rival) => [rival.member, rival]));
  const rows = group.ranked.map((member, place) => {
    const { row } = member;
    const final = row.checkpoints.at(-1)!;
    const rival = rivals.get(member);
    const difference = rival?.comparison.meanDifference;
    return html`<tr class="s${member.index}-row"><td>${place + 1}</td>${policyCell(member.index, member.label)}<td><b>${formatNumber(final.mean)}</b> ${interval(final.low, final.high)}</td><td>${formatNumber(final.median)} ${interval(final.q10, final.q90)}</td><td>${neverLearnedText(row.neverLearned)}</td><td>${difference === undefined ? "" : html`${difference.estimate > 0 ? "+" : ""}${formatNumber(difference.estimate)} ${interval(difference.low, difference.high)}`}</td><td>${rival === undefined ? "" : rival.clear ? html`<span class="verdict clear">clear</span>` : html`<span class="verdict open">open</span>`}</td><td>${rival === undefined ? "" : formatPercent(rival.comparison.probability.estimate)}</td><td>${formatNumber(final.realizedMean)}</td>${dynamic ? html`<td>${formatNumber(final.dynamicMean)}</td>` : null}<td>${row.seeds}${row.failed > 0 ? html` <span class="bad">(${row.failed} failed)</span>` : ""}</td></tr>`;
  });
  const none = group.members.filter((member) => !group.ranked.includes(member));
  const failed = none.map(
    ({ index, label, row }) =>
      html`<tr><td>–</td>${policyCell(index, label)}<td colspan="${dynamic ? 8 : 7}">no run completed</td><td>0 <span class="bad">(${row.failed} failed)</span></td></tr>`,
  );
  const first = standing?.first.label ?? "the first";
  return tableBox(
    `Ranking in ${group.title}, pseudo-regret at the horizon`,
    html`<tr><th></th><th scope="col">policy</th><th scope="col">mean [95 %]</th><th scope="col">median [10 %, 90 %]</th><th scope="col">never learned</th><th scope="col">minus ${first} [95 %]</th><th scope="col">verdict</th><th scope="col">beats it in</th><th scope="col">realised mean</th>${dynamic ? html`<th scope="col">against each round's best</th>` : null}<th scope="col">seeds</th></tr>`,
    [...rows, ...failed],
  );
}

/** A share of runs that should be 0. */
export function neverLearnedText(share: number | null): Html {
  return share === null ? html`–` : share > 0 ? html`<span class="bad">${formatPercent(share)}</span>` : html`${formatPercent(share)}`;
}

/** The proved bounds of each policy here, beside the measurements. */
export function theoryTable(group: Group): Html {
  const rows = group.members.map(({ index, label, row, guarantee }) => {
    const final = row.checkpoints.at(-1);
    const bound = guarantee?.bounds.find(({ id }) => id === guarantee.bound?.id);
    const order = guarantee?.bounds[0];
    const proved =
      bound !== undefined
        ? html`<td class="main">${formatNumber(bound.value!)}</td><td>${final === undefined || final.mean <= 0 ? "–" : `${formatNumber(bound.value! / final.mean)} ×`}</td><td class="words"><code>${bound.formula}</code><br><span class="source">${bound.source}</span></td>`
        : order !== undefined
          ? html`<td>order only</td><td>–</td><td class="words"><code>${order.formula}</code><br><span class="source">${order.source}</span></td>`
          : html`<td colspan="2"><span class="outside">${guarantee === null ? "unknown" : guarantee.outside.length > 0 ? "outside its guarantee" : "no guarantee"}</span></td><td class="words">${guarantee?.note ?? "the policy or the environment could not be created"}</td>`;
    return html`<tr>${policyCell(index, label)}<td>${final === undefined ? "–" : formatNumber(final.mean)}</td>${proved}</tr>`;
  });
  return tableBox(
    `What is proved in ${group.title}`,
    html`<tr><th scope="col">policy</th><th scope="col">measured mean</th><th scope="col">smallest proved bound</th><th scope="col">bound / measured</th><th scope="col" class="words">its source, or why there is none</th></tr>`,
    rows,
  );
}

/** The theorems that do not apply to policies for which others do. */
export function outsideNotes(group: Group): Html | null {
  const notes = group.members.flatMap(({ label, guarantee }) =>
    guarantee?.bounds.length
      ? guarantee.outside.map(({ id, reasons }) => html`<li><b>${label}</b>, <code>${id}</code>: ${reasons.join("; ")}</li>`)
      : [],
  );
  return notes.length === 0 ? null : html`<details><summary>Theorems that do not apply here</summary><ul>${notes}</ul></details>`;
}

const ASSUMPTIONS = {
  heavyTailed: "bounded moment",
  truncatedNonNegative: "truncated non-negativity",
  uniqueBestArm: "one best arm in every round",
} as const;

/** Which of the paper's assumptions hold, and why. */
export function assumptionList({ world }: Group): Html | null {
  if (world === null) return null;
  const items = Object.entries(ASSUMPTIONS).map(([key, name]) => {
    const { holds, reason }: Assumption = world.assumptions[key as keyof typeof ASSUMPTIONS];
    const [mark, word] = holds === true ? ["yes", "holds"] : holds === false ? ["no", "fails"] : ["unknown", "not known"];
    return html`<li><span class="verdict ${mark}">${word}</span><span><b>${name}</b>: ${reason}</span></li>`;
  });
  return html`<ul class="assumptions">${items}</ul>`;
}
