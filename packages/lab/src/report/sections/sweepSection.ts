import type { Sweep } from "../../analysis/sweep.js";
import { fixed } from "../../format/formatShort.js";
import { MOST_CHAPTERS, type SweepChapter } from "../figures/drawReport.js";
import { briefChapter } from "./briefChapter.js";
import { dash } from "./dash.js";
import { figureBlock } from "./figureBlock.js";
import { type Html, html } from "./html.js";
import { policyCell, tableBox } from "./tables.js";

/** Everything about one environment along one varied axis. */
export function sweepSection({ sweep, figure, chapters }: SweepChapter): Html {
  return html`<section aria-labelledby="${sweep.slug}">
<h2 id="${sweep.slug}">${sweep.title}</h2>
<div class="lead"><div>${figure && figureBlock(figure)}</div><div>${slopeTable(sweep)}</div></div>
${chapters.length === 0 ? html`<p>With more than ${MOST_CHAPTERS} values (here ${sweep.groups.length.toLocaleString("en")}), none has a chapter of its own: <code>ranking.csv</code> and <code>summary.json</code> have the numbers at each.</p>` : null}
${chapters.map((chapter) => briefChapter(chapter, `${sweep.axis} = ${chapter.group.sweep!.value}`))}
</section>`;
}

function slopeTable({ environment, axis, policies }: Sweep): Html | null {
  if (policies.every(({ slope }) => slope === null)) return null;
  const rows = policies.map(({ index, label, slope }) =>
    slope === null
      ? html`<tr>${policyCell(index, label)}<td colspan="3">${dash("fewer than two values at which regret is surely positive")}</td></tr>`
      : html`<tr>${policyCell(index, label)}<td><b>${fixed(slope.estimate)}</b> <span class="interval">[${fixed(slope.low)}, ${fixed(slope.high)}]</span></td><td>${slope.theory === null ? dash("nothing is proved") : fixed(slope.theory)}</td><td>${slope.seeds}</td></tr>`,
  );
  const head = html`<tr><th scope="col">policy</th><th scope="col">power [95 %]</th><th scope="col">power of its bound</th><th scope="col">seeds</th></tr>`;
  return tableBox(`The power of ${axis} with which regret at the horizon grows in ${environment}, over the seeds that all values share`, head, rows);
}
