import { type Assumption, type Distribution, ENVIRONMENTS, type Environment } from "tsallis";
import { formatCount, formatNumber } from "tsallis/statistics";
import type { Group } from "../../analysis/group.js";
import { formatShort } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { distributionText, parameterTexts } from "./distributionText.js";
import { type Html, html } from "./html.js";
import { tableBox } from "./tables.js";

/** With more kinds of arms than this, the table shows the first ones. */
const MOST_ROWS = 8;

/** Beyond this number of arms, looking at the distribution of each would take longer than the rest of the page. */
const MOST_ARMS = 1000;

/** The environment for a reader: what it does, its distributions with their means and gaps, and which of the paper's assumptions hold. */
export function environmentBlock({ title, world, members }: Group): Html {
  if (world === null) return html`<p class="note">This environment cannot be created here, so nothing is known about its distributions.</p>`;
  const horizon = Math.max(...members.map(({ row }) => row.horizon));
  const described = ENVIRONMENTS[world.spec.environment]?.description;
  const facts = [`${world.arms} ${world.arms === 1 ? "arm" : "arms"}`, ...parameterTexts(world.spec).filter((text) => !text.startsWith("arms "))];
  const sigma = sigmaOf(world);
  return html`<p class="note"><b>${world.spec.environment}</b>${described === undefined ? "" : `: ${described}`}. ${facts.join(", ")}; regime ${world.regime}; declared α = ${world.alpha}${sigma === null ? "" : `, σ = ${formatNumber(sigma)}`}.</p>
<div class="world"><div>${world.arms > MOST_ARMS ? html`<p class="note">The distributions of more than ${formatCount(MOST_ARMS)} arms are not listed.</p>` : armsTable(title, world, horizon)}</div>${assumptionList(world)}</div>`;
}

interface Kind {
  readonly arms: number[];
  readonly first: string | null;
  readonly last: string | null;
  readonly mean: number;
}

/** Arms of the same distributions and mean share a row. */
function armsTable(title: string, world: Environment, horizon: number): Html {
  const kinds = new Map<string, Kind>();
  for (let arm = 0; arm < world.arms; arm++) {
    const [first, last] = [1, horizon].map((round) => distributionIn(world, round, arm)) as [string | null, string | null];
    const mean = world.meanSum(horizon, arm) / horizon;
    const key = JSON.stringify([first, last, formatNumber(mean)]);
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { arms: [arm], first, last, mean });
    else kind.arms.push(arm);
  }
  const all = [...kinds.values()];
  const least = Math.min(...all.map(({ mean }) => mean));
  const changes = all.some(({ first, last }) => first !== last);
  const constant = world.gaps !== undefined && !changes && world.regime === "stochastic";
  const shown = (distribution: string | null) => distribution ?? dash("its distributions are not known");
  const rows = all
    .slice(0, MOST_ROWS)
    .map(
      ({ arms, first, last, mean }) =>
        html`<tr><th scope="row">${armList(arms)}</th><td class="distribution">${shown(first)}</td>${changes ? html`<td class="distribution">${last === first ? "the same" : shown(last)}</td>` : null}<td>${formatShort(mean)}</td><td>${mean === least ? "0" : formatShort(mean - least)}</td></tr>`,
    );
  const more = all.length > MOST_ROWS ? `; the first ${MOST_ROWS} of ${all.length} kinds of arms` : "";
  return tableBox(
    `The arms of ${title}${constant ? "" : ", means over all rounds"}${more}`,
    html`<tr><th scope="col">arm</th><th scope="col" class="distribution">${changes ? "distribution in the first round" : "distribution of its losses"}</th>${changes ? html`<th scope="col" class="distribution">in the last round</th>` : null}<th scope="col">mean loss</th><th scope="col">gap</th></tr>`,
    rows,
  );
}

/** Null if it is not known: an environment of the user's own may have no distributions, or distributions that are not the library's. */
function distributionIn(world: Environment, round: number, arm: number): string | null {
  try {
    const { spec }: Partial<Distribution> = world.distribution(round, arm);
    return spec?.distribution === undefined ? "a distribution of its own" : distributionText(spec);
  } catch {
    return null;
  }
}

/** 0, 2 to 4. */
function armList(arms: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const arm of arms) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === arm - 1) run[1] = arm;
    else runs.push([arm, arm]);
  }
  const texts = runs.map(([from, to]) => (from === to ? String(from) : to === from + 1 ? `${from}, ${to}` : `${from} to ${to}`));
  return texts.length > 4 ? `${texts.slice(0, 3).join(", ")} and others` : texts.join(", ");
}

/** Null if the environment does not say. */
function sigmaOf(world: Environment): number | null {
  try {
    const sigma = world.sigma(world.alpha);
    return sigma === Infinity && world.assumptions.heavyTailed.holds === undefined ? null : sigma;
  } catch {
    return null;
  }
}

const ASSUMPTIONS = {
  heavyTailed: "bounded moment",
  truncatedNonNegative: "truncated non-negativity",
  uniqueBestArm: "one best arm in every round",
} as const;

/** Which of the paper's assumptions hold, and why. */
function assumptionList(world: Environment): Html {
  const items = Object.entries(ASSUMPTIONS).map(([key, name]) => {
    const { holds, reason }: Assumption = world.assumptions[key as keyof typeof ASSUMPTIONS];
    const [mark, word] = holds === true ? ["yes", "holds"] : holds === false ? ["no", "fails"] : ["unknown", "not known"];
    return html`<li><span class="verdict ${mark}">${word}</span><span><b>${name}</b>: ${reason}</span></li>`;
  });
  return html`<ul class="assumptions">${items}</ul>`;
}
