import type { Analysis } from "../../analysis/analysis.js";
import type { Profile } from "../../analysis/profile.js";
import type { Profiles } from "../../analysis/profiles.js";
import { toldTo } from "../../analysis/toldTo.js";
import { formatShort } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { policyCell, shareText, tableBox } from "./tables.js";

/** What the tables need besides the ratios. */
export interface ProfileKey {
  /** In the document's order. */
  readonly policies: readonly string[];
  /** The parameters that each policy needs to know. */
  readonly told: ReadonlyMap<string, string>;
  /** Where the page describes each environment. */
  readonly slugs: ReadonlyMap<string, string>;
}

export function profileKey({ frozen: { experiment }, groups }: Analysis): ProfileKey {
  const policies = Object.keys(experiment.policies);
  return {
    policies,
    told: new Map(policies.map((label) => [label, toldTo(experiment.policies[label]!)])),
    slugs: new Map(groups.flatMap(({ environment, sweep, slug }) => (sweep === null ? [[environment, slug]] : []))),
  };
}

/** By ascending median ratio. */
export function profileTable(caption: string, profile: Profile, { policies, told, slugs }: ProfileKey): Html {
  const rows = profile.map(({ policy, ratios, median, worst, leastLearned }) => {
    const index = policies.indexOf(policy);
    const within = (factor: number) => [...ratios.values()].filter((ratio) => ratio <= factor).length;
    return html`<tr class="s${index}-row">${policyCell(index, policy)}<td class="told">${told.get(policy)!}</td><td class="main">${formatShort(median)}</td><td>${formatShort(worst.ratio)}</td><td class="told">${link(worst.environment, slugs)}</td><td>${leastLearned === null ? dash("not known") : shareText(leastLearned.share)}</td><td class="told">${leastLearned !== null && leastLearned.share > 0 ? link(leastLearned.environment, slugs) : dash("nowhere")}</td><td>${within(1.25)}</td><td>${within(2)}</td></tr>`;
  });
  return tableBox(
    caption,
    html`<tr><th scope="col">policy</th><th scope="col" class="told">needs to know</th><th scope="col">median ratio</th><th scope="col">worst ratio</th><th scope="col" class="told">where</th><th scope="col">never learned</th><th scope="col" class="told">where</th><th scope="col">≤ 1.25</th><th scope="col">≤ 2</th></tr>`,
    rows,
  );
}

/**
 * Every ratio, policies by environments. Darker cells are closer to the best, and the least of each column is bold. Environments that break an
 * assumption come last.
 */
export function profileMatrix({ sound, broken }: Profiles, { policies, slugs }: ProfileKey): Html {
  const apart = new Map(broken?.map(({ policy, ratios }) => [policy, ratios]));
  const least = new Map([...leastOf(sound), ...leastOf(broken ?? [])]);
  const rows = sound.map(({ policy, ratios }) => {
    const index = policies.indexOf(policy);
    const cells = [...ratios].map(([name, ratio]) => html`<td class="${nearness(ratio, least.get(name)!)}">${compact(ratio)}</td>`);
    const others = [...(apart.get(policy) ?? [])].map(
      ([name, ratio]) => html`<td class="apart ${nearness(ratio, least.get(name)!)}">${compact(ratio)}</td>`,
    );
    return html`<tr class="s${index}-row">${policyCell(index, policy)}${cells}${others}</tr>`;
  });
  const names = [...sound[0]!.ratios.keys()].map((name) => html`<th scope="col"><span>${link(name, slugs)}</span></th>`);
  const others = [...(broken?.[0]?.ratios.keys() ?? [])].map((name) => html`<th scope="col" class="apart"><span>${link(name, slugs)}</span></th>`);
  const infinite = [...sound, ...(broken ?? [])].some(({ ratios: all }) => [...all.values()].includes(Infinity));
  const caption = `Regret as a multiple of the best policy's in each environment; the least in each column is bold${broken === null ? "" : ". Environments that break truncated non-negativity are on the right"}${infinite ? ". ∞: no run completed" : ""}`;
  return html`<div class="matrix">${tableBox(caption, html`<tr><th scope="col">policy</th>${names}${others}</tr>`, rows)}</div>`;
}

function link(environment: string, slugs: ReadonlyMap<string, string>): Html {
  return html`<a href="#${slugs.get(environment)!}">${environment}</a>`;
}

function leastOf(profile: Profile): [string, number][] {
  const names = [...(profile[0]?.ratios.keys() ?? [])];
  return names.map((name) => [name, Math.min(...profile.map(({ ratios }) => ratios.get(name)!))]);
}

function nearness(ratio: number, least: number): string {
  return ratio === least ? "first" : ratio <= 1.25 ? "close" : ratio <= 2 ? "near" : ratio <= 10 ? "" : "far";
}

/** A ratio in two digits and little space: 0.93, 1, 1.04, 1.4, 36, 1200, 4e7. */
function compact(ratio: number): string {
  if (ratio === 1) return "1";
  if (ratio === Infinity) return "∞";
  if (ratio < 0.095) return ratio.toExponential(0);
  if (ratio < 9.95) return ratio.toFixed(ratio < 1.995 ? 2 : 1);
  return ratio < 9999.5 ? ratio.toFixed(0) : ratio.toExponential(0).replace("+", "");
}
