import { type Estimate, formatPercent } from "tsallis/statistics";
import type { Across } from "../../analysis/across.js";
import { NEGLIGIBLE } from "../../analysis/profile.js";
import { formatShort, formatShortInterval } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { policyCell, tableBox } from "./tables.js";

/** The policies over all environments, with intervals over the seeds. `policies`: in the document's order. */
export function acrossTable({ entries, environments, seeds }: Across, policies: readonly string[]): Html {
  const rows = entries.map(({ policy, share, interquartileMean, stuck, improvement, medianRatio, within }) => {
    const index = policies.indexOf(policy);
    return html`<tr class="s${index}-row">${policyCell(index, policy)}<td class="main">${number(share)}</td><td>${number(interquartileMean)}</td><td>${stuck === null ? dash("not known") : percent(stuck)}</td><td>${improvement === null ? "first" : percent(improvement)}</td><td>${medianRatio === null ? dash(`no share above ${NEGLIGIBLE}`) : number(medianRatio)}</td>${within.map((each) => html`<td>${percent(each.share)}</td>`)}</tr>`;
  });
  return html`<h3 id="Intervals">With intervals over the seeds</h3>
${tableBox(
  `Over ${environments} environments, ${seeds} seeds each: mean share, interquartile mean of the shares of all runs, stuck runs, the probability of less regret than the first policy at the same seed, the median ratio to the best policy, and the share of environments within a factor of it`,
  html`<tr><th scope="col">policy</th><th scope="col">mean share</th><th scope="col">interquartile mean</th><th scope="col">stuck</th><th scope="col">improves on the first</th><th scope="col">median ratio</th>${entries[0]!.within.map(({ factor }) => html`<th scope="col">≤ ${factor}</th>`)}</tr>`,
  rows,
)}
<p class="note">The 95 % intervals resample whole seeds, the same ones in all environments: under one seed, environments of the same kind draw from the same random numbers, so they are not independent of each other. The intervals are about these environments; nothing here says how other environments would do. As <code>across.csv</code>.</p>`;
}

function number({ estimate, low, high }: Estimate): Html {
  return html`${formatShort(estimate)} <span class="interval">${formatShortInterval(low, high)}</span>`;
}

function percent({ estimate, low, high }: Estimate): Html {
  return html`${formatPercent(estimate)} <span class="interval">[${formatPercent(low)}, ${formatPercent(high)}]</span>`;
}
