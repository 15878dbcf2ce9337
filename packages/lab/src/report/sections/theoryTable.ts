import type { Group } from "../../analysis/group.js";
import { formatShort } from "../../format/formatShort.js";
import { mathML } from "../../format/mathML.js";
import { dash } from "./dash.js";
import { Html, html } from "./html.js";
import { policyCell, stuckText, tableBox } from "./tables.js";

/** The proved bounds of each policy here, beside the measurements. */
export function theoryTable(group: Group): Html {
  const rows = group.members.map(({ index, label, row, guarantee }) => {
    const final = row.checkpoints.at(-1);
    const bound = guarantee?.bounds.find(({ id }) => id === guarantee.bound?.id);
    const order = guarantee?.bounds[0];
    const proved =
      bound !== undefined
        ? html`<td class="main">${formatShort(bound.value!)}</td><td>${final === undefined ? dash("no run completed") : final.mean <= 0 ? dash("regret is not positive") : `${formatShort(bound.value! / final.mean)} ×`}</td><td class="words">${source(bound)}</td>`
        : order !== undefined
          ? html`<td>order only</td><td>${dash("no constant is proved")}</td><td class="words">${source(order)}</td>`
          : html`<td colspan="2"><span class="outside">${guarantee === null ? "unknown" : guarantee.outside.length > 0 ? "outside its guarantee" : "no guarantee"}</span></td><td class="words">${guarantee?.note ?? "the policy or the environment could not be created"}</td>`;
    return html`<tr>${policyCell(index, label)}<td>${final === undefined ? dash("no run completed") : formatShort(final.mean)}</td><td>${stuckText(row)}</td>${proved}</tr>`;
  });
  return tableBox(
    `What is proved in ${group.title}`,
    html`<tr><th scope="col">policy</th><th scope="col">measured mean</th><th scope="col">stuck</th><th scope="col">smallest proved bound</th><th scope="col">bound / measured</th><th scope="col" class="words">its source, or why there is none</th></tr>`,
    rows,
  );
}

function source({ formula, source: text }: { readonly formula: string; readonly source: string }): Html {
  return html`<span class="formula">${new Html(mathML(formula))}</span><br><span class="source">${text}</span>`;
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
