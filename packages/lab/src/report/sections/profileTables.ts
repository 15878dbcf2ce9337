import type { Analysis } from "../../analysis/analysis.js";
import { distance, NEGLIGIBLE, type Profile, type ProfileCell } from "../../analysis/profile.js";
import type { Profiles } from "../../analysis/profiles.js";
import { requiredParameters } from "../../analysis/requiredParameters.js";
import { formatShort } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { badShare, policyCell, tableBox } from "./tables.js";

/** What the tables need besides the profile. */
export interface ProfileKey {
  /** In the document's order. */
  readonly policies: readonly string[];
  /** The parameters that each policy needs to know. */
  readonly requires: ReadonlyMap<string, string>;
  /** Where the page describes each environment. */
  readonly slugs: ReadonlyMap<string, string>;
}

export function profileKey({ frozen: { experiment }, groups }: Analysis): ProfileKey {
  const policies = Object.keys(experiment.policies);
  return {
    policies,
    requires: new Map(policies.map((label) => [label, requiredParameters(experiment.policies[label]!)])),
    slugs: new Map(groups.flatMap(({ environment, sweep, slug }) => (sweep === null ? [[environment, slug]] : []))),
  };
}

/** By ascending mean share. */
export function profileTable(caption: string, profile: Profile, { policies, requires, slugs }: ProfileKey): Html {
  const rows = profile.map(({ policy, cells, share, stuck, mostStuck, median, worst }) => {
    const index = policies.indexOf(policy);
    const within = (factor: number) => [...cells.values()].filter((cell) => distance(cell) <= factor).length;
    return html`<tr class="s${index}-row">${policyCell(index, policy)}<td class="told">${requires.get(policy)!}</td><td class="main">${formatShort(share)}</td><td>${stuck === null ? dash("not known") : badShare(stuck)}</td><td class="told">${mostStuck !== null && mostStuck.share > 0 ? link(mostStuck.environment, slugs) : dash("nowhere")}</td><td>${median === null ? dash(`no share above ${NEGLIGIBLE}`) : formatShort(median)}</td><td>${worst === null ? dash("none") : formatShort(worst.ratio)}</td><td class="told">${worst === null ? dash("nowhere") : link(worst.environment, slugs)}</td><td>${within(1.25)}</td><td>${within(2)}</td></tr>`;
  });
  return tableBox(
    caption,
    html`<tr><th scope="col">policy</th><th scope="col" class="told">needs to know</th><th scope="col">mean share</th><th scope="col">stuck</th><th scope="col" class="told">most in</th><th scope="col">median ratio</th><th scope="col">worst ratio</th><th scope="col" class="told">where</th><th scope="col">≤ 1.25</th><th scope="col">≤ 2</th></tr>`,
    rows,
  );
}

/**
 * Every share, policies by environments. Darker cells are closer to the best, and the least of each column is bold. Environments that break an
 * assumption come last.
 */
export function profileMatrix({ sound, broken }: Profiles, { policies, slugs }: ProfileKey): Html {
  const apart = new Map(broken?.map(({ policy, cells }) => [policy, cells]));
  const least = new Map([...leastOf(sound), ...leastOf(broken ?? [])]);
  const rows = sound.map(({ policy, cells }) => {
    const index = policies.indexOf(policy);
    const shown = [...cells].map(([name, cell]) => html`<td class="${nearness(cell, least.get(name)!)}">${compact(cell.share)}</td>`);
    const others = [...(apart.get(policy) ?? [])].map(
      ([name, cell]) => html`<td class="apart ${nearness(cell, least.get(name)!)}">${compact(cell.share)}</td>`,
    );
    return html`<tr class="s${index}-row">${policyCell(index, policy)}${shown}${others}</tr>`;
  });
  const names = [...sound[0]!.cells.keys()].map((name) => html`<th scope="col"><span>${link(name, slugs)}</span></th>`);
  const others = [...(broken?.[0]?.cells.keys() ?? [])].map((name) => html`<th scope="col" class="apart"><span>${link(name, slugs)}</span></th>`);
  const infinite = [...sound, ...(broken ?? [])].some(({ share }) => share === Infinity);
  const caption = `Regret as a share of uniform play's in each environment; the least in each column is bold${broken === null ? "" : ". Environments that break truncated non-negativity are on the right"}${infinite ? ". ∞: no run completed" : ""}`;
  return html`<div class="matrix">${tableBox(caption, html`<tr><th scope="col">policy</th>${names}${others}</tr>`, rows)}</div>`;
}

function link(environment: string, slugs: ReadonlyMap<string, string>): Html {
  return html`<a href="#${slugs.get(environment)!}">${environment}</a>`;
}

function leastOf(profile: Profile): [string, number][] {
  const names = [...(profile[0]?.cells.keys() ?? [])];
  return names.map((name) => [name, Math.min(...profile.map(({ cells }) => cells.get(name)!.share))]);
}

function nearness(cell: ProfileCell, least: number): string {
  const factor = distance(cell);
  return cell.share === least ? "first" : factor <= 1.25 ? "close" : factor <= 2 ? "near" : factor <= 10 ? "" : "far";
}

/** A share in two digits and little space: 2e-4, 0.02, 0.93, 1.4, 36, 1200, 4e7. */
function compact(share: number): string {
  if (share === 0) return "0";
  if (share === Infinity) return "∞";
  if (share < 0.0095) return share.toExponential(0);
  if (share < 9.95) return share.toFixed(share < 1.995 ? 2 : 1);
  return share < 9999.5 ? share.toFixed(0) : share.toExponential(0).replace("+", "");
}
