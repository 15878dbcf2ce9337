import type { Chapter } from "../figures/drawReport.js";
import { environmentBlock } from "./environmentBlock.js";
import { figureBlock } from "./figureBlock.js";
import { regretBlocks } from "./groupSection.js";
import { type Html, html } from "./html.js";
import { rankingTable } from "./tables.js";
import { outsideNotes, theoryTable } from "./theoryTable.js";

/** One of many groups, folded: its ranking, its regret curves, and what is proved. */
export function briefChapter({ group, regret }: Chapter, summary: string): Html {
  // Without a linear twin the curves are always visible, whatever the switch says.
  const curves = regret.linear === null ? regret.log && figureBlock(regret.log) : regretBlocks(regret);
  return html`<details id="${group.slug}"><summary>${summary}</summary>
${environmentBlock(group)}
${rankingTable(group)}
<div class="figures">${curves}</div>
${theoryTable(group)}
${outsideNotes(group)}
</details>`;
}
