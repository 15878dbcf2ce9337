import type { Profile } from "../results/profile.js";
import type { Profiles } from "../results/profiles.js";
import { formatNumber } from "./formatNumber.js";
import { type Html, html } from "./html.js";
import { policyCell, tableBox } from "./tables.js";

/** What the tables need to know beside the ratios. */
export interface ProfileKey {
  /** In the document's order. */
  readonly policies: readonly string[];
  /** What each of them is told. */
  readonly told: ReadonlyMap<string, string>;
  /** Where the page tells about an environment. */
  readonly slugs: ReadonlyMap<string, string>;
}

/** From the smallest median ratio to the largest. */
export function profileTable(caption: string, profile: Profile, { policies, told, slugs }: ProfileKey): Html {
  const rows = profile.map(({ policy, ratios, median, worst }) => {
    const index = policies.indexOf(policy);
    const within = (factor: number) => [...ratios.values()].filter((ratio) => ratio <= factor).length;
    return html`<tr class="s${index}-row">${policyCell(index, policy)}<td class="told">${told.get(policy)!}</td><td class="main">${formatNumber(median)}</td><td>${formatNumber(worst.ratio)}</td><td class="told">${link(worst.environment, slugs)}</td><td>${within(1.25)}</td><td>${within(2)}</td></tr>`;
  });
  return tableBox(
    caption,
    html`<tr><th scope="col">policy</th><th scope="col" class="told">is told</th><th scope="col">median ratio</th><th scope="col">worst ratio</th><th scope="col" class="told">where</th><th scope="col">≤ 1.25</th><th scope="col">≤ 2</th></tr>`,
    rows,
  );
}

/** Every ratio, policies by environments; the darker the closer to the best. Environments that break an assumption come last. */
export function profileMatrix({ sound, broken }: Profiles, { policies, slugs }: ProfileKey): Html {
  const apart = new Map(broken?.map(({ policy, ratios }) => [policy, ratios]));
  const rows = sound.map(({ policy, ratios }) => {
    const index = policies.indexOf(policy);
    const cells = [...ratios.values()].map((ratio) => html`<td class="${nearness(ratio)}">${compact(ratio)}</td>`);
    const others = [...(apart.get(policy)?.values() ?? [])].map((ratio) => html`<td class="apart ${nearness(ratio)}">${compact(ratio)}</td>`);
    return html`<tr class="s${index}-row">${policyCell(index, policy)}${cells}${others}</tr>`;
  });
  const names = [...sound[0]!.ratios.keys()].map((name) => html`<th scope="col"><span>${link(name, slugs)}</span></th>`);
  const others = [...(broken?.[0]?.ratios.keys() ?? [])].map((name) => html`<th scope="col" class="apart"><span>${link(name, slugs)}</span></th>`);
  const caption = `How many times the least regret of each environment; 1 is the best${broken === null ? "" : ". On the right, those that break truncated non-negativity"}`;
  return html`<div class="matrix">${tableBox(caption, html`<tr><th scope="col">policy</th>${names}${others}</tr>`, rows)}</div>`;
}

function link(environment: string, slugs: ReadonlyMap<string, string>): Html {
  return html`<a href="#${slugs.get(environment)!}">${environment}</a>`;
}

function nearness(ratio: number): string {
  return ratio === 1 ? "first" : ratio <= 1.25 ? "close" : ratio <= 2 ? "near" : ratio <= 10 ? "" : "far";
}

/** Two digits, in as little space as there is: 1, 1.4, 36, 1200, 4e7. */
function compact(ratio: number): string {
  if (ratio === 1) return "1";
  if (ratio === Infinity) return "∞";
  if (ratio < 9.95) return ratio.toFixed(ratio < 1.995 ? 2 : 1);
  return ratio < 9999.5 ? ratio.toFixed(0) : ratio.toExponential(0).replace("+", "");
}
