import type { Figure } from "../../chart/figure.js";
import type { Chapter } from "../figures/drawReport.js";
import type { RegretFigures } from "../figures/groupFigures.js";
import { environmentBlock } from "./environmentBlock.js";
import { figureBlock } from "./figureBlock.js";
import { growthTable } from "./growthTable.js";
import { type Html, html } from "./html.js";
import { rankingTable } from "./tables.js";
import { outsideNotes, theoryTable } from "./theoryTable.js";

const MOST_BESIDE = 10;

/** Everything about one environment. */
export function groupSection({ group, regret, beside, others }: Chapter): Html {
  return html`<section aria-labelledby="${group.slug}">
<h2 id="${group.slug}">${group.title}</h2>
${environmentBlock(group)}
${rankingTable(group)}
${figures(group.members.length, regretBlocks(regret), beside)}
<div class="figures">${others.map((figure) => figureBlock(figure))}</div>
<h3>Theory beside the data</h3>
${theoryTable(group)}
${outsideNotes(group)}
${growthTable(group)}
</section>`;
}

/** The regret curves with the short figures beside them. Those grow with the number of policies, and then they follow in line with the others. */
function figures(policies: number, curves: Html, beside: readonly Figure[]): Html {
  const blocks = beside.map((figure) => figureBlock(figure));
  return policies <= MOST_BESIDE
    ? html`<div class="lead"><div>${curves}</div><div>${blocks}</div></div>`
    : html`<div class="figures">${curves}${blocks}</div>`;
}

export function regretBlocks({ log, linear }: RegretFigures): Html {
  const names = (figure: Figure | null) => JSON.stringify(figure?.readings?.series.map(({ label }) => label));
  return html`${log && figureBlock(log, "log")}${linear && figureBlock(linear, "linear", names(log) === names(linear))}`;
}
