import type { Comparison } from "../../analysis/compare.js";
import { differenceFigure } from "../figures/comparisonFigure.js";
import { changesTable, othersList, verdictOf } from "../sections/comparisonTables.js";
import { figureBlock } from "../sections/figureBlock.js";
import { html } from "../sections/html.js";
import { renderPage } from "./renderPage.js";

/** One of two results, as the page names it. */
export interface ComparedResults {
  /** Where the results are, as the reader knows them. */
  readonly place: string;
  readonly name: string;
  readonly version: string;
  readonly hash: string;
}

/** Green if everything that changed is better, red if everything is worse. */
function answerClass({ cells }: Comparison): string {
  const verdicts = new Set(cells.flatMap(({ changed, verdict }) => (changed ? [verdict] : [])));
  if (verdicts.size === 0) return "none";
  return verdicts.size > 1 ? "open" : verdicts.has("better") ? "holds" : "fails";
}

/** A comparison of two results as one HTML file that loads nothing from the network. */
export function renderComparison(comparison: Comparison, [before, after]: readonly [ComparedResults, ComparedResults]): string {
  const figure = differenceFigure(comparison.cells);
  const described = (which: string, { place, name, version, hash }: ComparedResults) =>
    html`<dt>${which}</dt><dd><b>${place}</b>: ${name}, version ${version}, hash <code>${hash.slice(0, 8)}</code></dd>`;
  return renderPage({
    title: `${before.place} and ${after.place}: tsallis comparison`,
    skipTo: ["Changes", "the changes"],
    policies: 0,
    band: "none",
    head: html`<header>
<p class="eyebrow">tsallis comparison</p>
<h1>${before.name === after.name ? before.name : `${before.name}, ${after.name}`}</h1>
<dl>${described("before", before)}${described("after", after)}</dl>
</header>`,
    main: html`<section aria-labelledby="Changes">
<h2 id="Changes">What changed, beyond noise</h2>
${comparison.fewSeeds && html`<p class="few"><span class="verdict open">few seeds</span> ${comparison.fewSeeds}</p>`}
<p class="answer ${answerClass(comparison)}">${verdictOf(comparison)}</p>
${changesTable(comparison.cells)}
${figure && html`<div class="single">${figureBlock(figure)}</div>`}
${othersList(comparison)}
<p class="note">Each row is the mean pseudo-regret at the horizon in one environment under one policy that both results have. A difference is after minus before: a positive one means more regret than before. It counts as better or worse if a test of equal means, corrected by Holm's method for the number of rows that differ at all, has p below 0.05; the intervals are not corrected.</p>
</section>`,
    foot: `Written by tsallis ${after.version}.`,
  });
}
