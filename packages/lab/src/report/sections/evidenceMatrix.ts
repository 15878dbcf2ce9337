import type { Analysis } from "../../analysis/analysis.js";
import { type Html, html } from "./html.js";
import { tableBox } from "./tables.js";

/** The statements behind the claim: one row each, with a column for every environment that they speak of. Null if there are none. */
export function evidenceMatrix({ frozen, claim: { evidence } }: Analysis): Html | null {
  const items = frozen.experiment.evidence;
  if (items.length === 0) return null;
  const environments = [...new Set(items.map(({ environment }) => environment))];
  const rows = new Map<string, Map<string, Html[]>>();
  for (const [place, item] of items.entries()) {
    const { verdict, measured } = evidence[place]!;
    const row = rows.get(wordsOf(item)) ?? new Map<string, Html[]>();
    rows.set(wordsOf(item), row);
    const cell = html`<span class="verdict ${verdict}">${verdict}</span> <span class="interval">${measured}</span>`;
    row.set(item.environment, [...(row.get(item.environment) ?? []), cell]);
  }
  const body = [...rows].map(
    ([statement, cells]) =>
      html`<tr><th scope="row">${statement}</th>${environments.map((environment) => html`<td>${cells.get(environment) ?? html`<span class="interval">not stated</span>`}</td>`)}</tr>`,
  );
  return html`<h3 id="Evidence">The evidence for the claim</h3>
<div class="evidence">${tableBox(
    "Every statement that the claim rests on, with what was measured",
    html`<tr><th scope="col">statement</th>${environments.map((environment) => html`<th scope="col">${environment}</th>`)}</tr>`,
    body,
  )}</div>
<p class="note">"Less regret" is tested on the differences at the same seeds, at 5 % for all statements together; a power holds if its whole 95 % interval lies in the range.</p>`;
}

function wordsOf(item: Analysis["frozen"]["experiment"]["evidence"][number]): string {
  if ("beats" in item) return `${item.policy} has less regret than ${item.beats}`;
  return `the regret of ${item.policy} grows with ${item.along} to a power in [${item.exponent.join(", ")}]`;
}
