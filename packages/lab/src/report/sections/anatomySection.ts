import { formatShort, formatShortInterval } from "../../format/formatShort.js";
import type { Chapter } from "../figures/drawReport.js";
import { dash } from "./dash.js";
import { figureBlock } from "./figureBlock.js";
import { type Html, html } from "./html.js";
import { policyCell, tableBox } from "./tables.js";

const MEANINGS: Readonly<Record<string, string>> = {
  expectedRegret: "regret of the distributions played, against the best arm of the whole run",
  skippingGap: "the part of expectedRegret that truncated means do not show",
  ftrlErrorMean: "the rest of expectedRegret; both parts add up to it on every path",
  ftrlError: "the same with estimated losses; at most A + B on every path",
  A: "price of changing the regularisation",
  B: "price of the noise in the estimates",
  lambda: "scale that the doubling policies found",
};

/** The terms of the regret as in the proof; null if they were not recorded. */
export function anatomySection(chapters: readonly Chapter[]): Html | null {
  const recorded = chapters.filter(({ anatomy }) => anatomy.length > 0);
  if (recorded.length === 0) return null;
  return html`<section aria-labelledby="Anatomy">
<h2 id="Anatomy">Anatomy of the regret: the proof at work</h2>
<p>The proof splits regret into a gap due to skipping and the error of the estimates, and bounds each part. The two statements that hold on every path were checked in every run; a run that broke one would be listed as failed. The other pairings hold in expectation.</p>
${recorded.map(
  ({ group, anatomy, lambda }) => html`<h3>${group.title}</h3>
<div class="figures">${anatomy.map(({ member, figure }) => figure && figureBlock(figure, `s${member.index}`))}${lambda && figureBlock(lambda)}</div>
${tableBox(
  `Terms of the regret in ${group.title} at the horizon, means over seeds`,
  html`<tr><th scope="col">policy</th><th scope="col">term</th><th scope="col">mean</th><th scope="col">95 % interval</th><th scope="col">mean of its bound</th><th scope="col" class="words">what it is</th></tr>`,
  anatomy.flatMap(({ member }) =>
    member.terms.map(
      ({ name, final, bound }) =>
        html`<tr>${policyCell(member.index, member.label)}<td class="term-name"><code>${name}</code></td><td class="main">${formatShort(final.estimate)}</td><td>${formatShortInterval(final.low, final.high)}</td><td>${bound === null ? dash("not bounded alone") : formatShort(bound.at(-1)!)}</td><td class="words">${MEANINGS[name] ?? ""}</td></tr>`,
    ),
  ),
)}`,
)}
</section>`;
}
