import type { Group } from "../../analysis/group.js";
import { formatNumber } from "../../format/formatNumber.js";
import { type Html, html } from "./html.js";
import { neverLearnedText, policyCell, tableBox } from "./tables.js";

/** All environments at a glance: mean regret at the horizon, its ratio to the smallest, and the share of seeds that never learned if it is not 0. */
export function overviewTable(groups: readonly Group[], policies: readonly string[]): Html | null {
  if (groups.length < 2) return null;
  const rows = policies.map((label, index) => {
    const cells = groups.map(({ members, standing }) => {
      const row = members.find((member) => member.index === index)?.row;
      const mean = row?.checkpoints.at(-1)?.mean;
      if (row === undefined || mean === undefined || standing === null) return html`<td>–</td>`;
      const least = standing.final.mean;
      const lost =
        row.neverLearned !== null && row.neverLearned > 0 ? html` <span class="ratio">(${neverLearnedText(row.neverLearned)})</span>` : null;
      if (standing.first.index === index) return html`<td class="best">${formatNumber(mean)} <span class="ratio">least</span>${lost}</td>`;
      const times =
        least > 0
          ? html`<span class="ratio">× ${mean < 1e6 * least ? (mean / least).toFixed(mean < 10 * least ? 1 : 0) : formatNumber(mean / least)}</span>`
          : null;
      return html`<td>${formatNumber(mean)} ${times}${lost}</td>`;
    });
    return html`<tr class="s${index}-row">${policyCell(index, label)}${cells}</tr>`;
  });
  const head = html`<tr><th scope="col">policy</th>${groups.map(({ slug, title }) => html`<th scope="col"><a href="#${slug}">${title}</a></th>`)}</tr>`;
  return tableBox(
    "Mean pseudo-regret at the horizon, its ratio to the least in its column, and (in brackets) the share of seeds that never learned",
    head,
    rows,
  );
}
