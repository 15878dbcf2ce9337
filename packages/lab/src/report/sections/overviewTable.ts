import type { Group } from "../../analysis/group.js";
import { NEGLIGIBLE } from "../../analysis/profile.js";
import { formatShort } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { policyCell, shareText, stuckText, tableBox } from "./tables.js";

/** All environments at a glance: mean regret at the horizon, its ratio to the smallest, its share of uniform play's, and the share of stuck runs. */
export function overviewTable(groups: readonly Group[], policies: readonly string[]): Html | null {
  if (groups.length < 2) return null;
  const rows = policies.map((label, index) => {
    const cells = groups.map(({ members, lead }) => {
      const row = members.find((member) => member.index === index)?.row;
      const mean = row?.checkpoints.at(-1)?.mean;
      if (row === undefined) return html`<td>${dash("not played")}</td>`;
      if (mean === undefined || lead === null) return html`<td>${dash("no run completed")}</td>`;
      const least = lead.final.mean;
      const first = lead.first.index === index;
      const times = first
        ? html`least`
        : row.share !== null && row.share <= NEGLIGIBLE
          ? null
          : least > 0
            ? html`× ${mean < 1e6 * least ? (mean / least).toFixed(mean < 10 * least ? 1 : 0) : formatShort(mean / least)}`
            : dash("the least is not positive");
      return html`<td class="${first ? "best" : ""}">${formatShort(mean)} <span class="ratio">${times}</span> <span class="ratio">(${shareText(row)}, ${stuckText(row)})</span></td>`;
    });
    return html`<tr class="s${index}-row">${policyCell(index, label)}${cells}</tr>`;
  });
  const head = html`<tr><th scope="col">policy</th>${groups.map(({ slug, title }) => html`<th scope="col"><a href="#${slug}">${title}</a></th>`)}</tr>`;
  return tableBox(
    `Mean pseudo-regret at the horizon; its ratio to the least in its column, where its share of uniform play's regret is above ${NEGLIGIBLE}; and in brackets that share and the share of stuck runs`,
    head,
    rows,
  );
}
