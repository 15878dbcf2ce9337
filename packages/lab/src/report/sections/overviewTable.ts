import type { Group } from "../../analysis/group.js";
import { formatShort } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { neverLearnedText, policyCell, tableBox } from "./tables.js";

/** All environments at a glance: mean regret at the horizon, its ratio to the smallest, and the share of seeds that never learned. */
export function overviewTable(groups: readonly Group[], policies: readonly string[]): Html | null {
  if (groups.length < 2) return null;
  const rows = policies.map((label, index) => {
    const cells = groups.map(({ members, standing }) => {
      const row = members.find((member) => member.index === index)?.row;
      const mean = row?.checkpoints.at(-1)?.mean;
      if (row === undefined) return html`<td>${dash("not played")}</td>`;
      if (mean === undefined || standing === null) return html`<td>${dash("no run completed")}</td>`;
      const least = standing.final.mean;
      const first = standing.first.index === index;
      const times = first
        ? html`least`
        : least > 0
          ? html`× ${mean < 1e6 * least ? (mean / least).toFixed(mean < 10 * least ? 1 : 0) : formatShort(mean / least)}`
          : dash("the least is not positive");
      return html`<td class="${first ? "best" : ""}">${formatShort(mean)} <span class="ratio">${times}</span> <span class="ratio">(${neverLearnedText(row)})</span></td>`;
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
