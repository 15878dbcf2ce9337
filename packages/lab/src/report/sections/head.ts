import { formatCount } from "tsallis/statistics";
import type { Analysis } from "../../analysis/analysis.js";
import { claimVerdict } from "./claimVerdict.js";
import { evidenceMatrix } from "./evidenceMatrix.js";
import { finding, sweepFinding } from "./findings.js";
import { type Html, html } from "./html.js";
import { overviewTable } from "./overviewTable.js";
import { profileFinding } from "./profileSection.js";
import { swatch } from "./swatch.js";

/** The head of the page: the question and the size of the experiment. */
export function head({ frozen, runs, groups, sweeps, profiles, manyEnvironments }: Analysis): Html {
  const plain = groups.filter(({ sweep }) => sweep === null);
  const { name, claim, horizon, seeds, environments, policies } = frozen.experiment;
  const fact = (count: number, one: string, many: string) => html`<li><b>${formatCount(count)}</b> ${count === 1 ? one : many}</li>`;
  return html`<header>
<p class="eyebrow">tsallis experiment</p>
<h1>${name}</h1>
${claim === null ? null : html`<p class="claim">${claim}</p>`}
<ul class="facts">
${fact(Object.keys(environments).length, "environment", "environments")}
${fact(Object.keys(policies).length, "policy", "policies")}
${fact(seeds.length, "seed", "seeds")}
${fact(horizon, "round", "rounds each")}
${fact(runs.length, "run", "runs")}
<li>version <b>${frozen.version}</b></li>
<li>hash <b>${frozen.hash.slice(0, 8)}</b></li>
</ul>
<nav aria-label="Contents"><ul>
<li><a href="#Findings">Findings</a></li>
${profiles && html`<li><a href="#Across">Across environments</a></li>`}
${manyEnvironments ? html`<li><a href="#Environments">Environment by environment</a></li>` : plain.map(({ slug, title }) => html`<li><a href="#${slug}">${title}</a></li>`)}
${sweeps.map(({ slug, title }) => html`<li><a href="#${slug}">${title}</a></li>`)}
${plain.some(({ members }) => members.some(({ terms }) => terms.length > 0)) ? html`<li><a href="#Anatomy">Anatomy</a></li>` : null}
<li><a href="#Reproduction">Reproduce</a></li>
</ul></nav>
</header>`;
}

/** The headline first: what the data say, environment by environment. */
export function findings(analysis: Analysis): Html {
  const { frozen, claim: verdict, groups, sweeps, fewSeeds, manyEnvironments } = analysis;
  const { claim, policies, seeds } = frozen.experiment;
  const plain = groups.filter(({ sweep }) => sweep === null);
  const each = plain.map(finding);
  return html`<section aria-labelledby="Findings">
<h2 id="Findings">What the data say</h2>
${fewSeeds && html`<p class="few"><span class="verdict open">few seeds</span> ${fewSeeds}</p>`}
${claimVerdict(verdict, claim)}
<h3>Environment by environment</h3>
<ul class="findings">${profileFinding(analysis)}${manyEnvironments ? null : each}${sweeps.map(sweepFinding)}</ul>
${manyEnvironments ? html`<details><summary>The best policy in each environment</summary><ul class="findings">${each}</ul></details>` : overviewTable(plain, Object.keys(policies))}
${evidenceMatrix(analysis)}
<details><summary>How to read this page</summary>
<dl>
<dt>pseudo-regret</dt><dd>The sum of the true mean losses of the arms played, minus that of the best arm in hindsight. Lower is better. Realised regret uses the drawn losses instead of their means.</dd>
<dt>same losses</dt><dd>With the same seed all policies face the same table of losses, so they are compared seed by seed.</dd>
<dt>intervals</dt><dd>95 % intervals over the ${formatCount(seeds.length)} ${seeds.length === 1 ? "seed" : "seeds"}, in square brackets. Losses have heavy tails, so medians and quantiles stand beside every mean.</dd>
<dt>share</dt><dd>The mean regret against the best arm of each round, divided by the expected regret of uniform play: 1 is chance, 0 is perfect.</dd>
<dt>stuck</dt><dd>The share of the runs whose regret against the best arm of each round, over the last fifth of the rounds, is more than half of the expected regret of uniform play. A mean does not show this: a policy may do well with most seeds and be stuck on a wrong arm with the others. A dash is followed by its reason.</dd>
<dt>figures</dt><dd>Point at a figure, or go to it with the tab key and press the arrow keys, and it names the value there. "Single seeds" draws the runs of at most 20 seeds behind each mean. Every figure can be saved as SVG and as PNG.</dd>
<dt>clear, open</dt><dd>Clear: every other policy has a larger mean beyond noise, by tests of the mean difference at the same seeds that account for having picked the first on these seeds: the probability of any wrong mark in one environment is about 5 % at most; it is higher where some policies' regret is very skewed and others' is not. Open: at least one policy cannot be distinguished from the first.</dd>
<dt>bounds</dt><dd>What a theorem proves for the expected regret, with its constant, if all its assumptions hold. Constants are large, so a bound far above the data is not a contradiction. The growth should agree.</dd>
</dl></details>
</section>`;
}

/** With many policies the bands cover each other, so none is shown at first. */
export function firstBand(policies: number): "runs" | "none" {
  return policies <= 8 ? "runs" : "none";
}

/** Switches for all figures of the page. */
export function controls({ frozen, groups }: Analysis): Html {
  const policies = Object.keys(frozen.experiment.policies);
  const band = firstBand(policies.length);
  const seeds = groups.some(({ members }) => members.some(({ seedCurves }) => seedCurves.length > 0));
  const choice = (kind: string, value: string, label: string, on: boolean) =>
    html`<button type="button" data-set-${kind}="${value}" aria-pressed="${String(on)}">${label}</button>`;
  return html`<div class="controls" role="region" aria-label="What the figures show">
<div class="row policies" role="group" aria-label="Policies shown">
${policies.map((label, index) => html`<button type="button" class="to-${index}" data-policy="${index}" aria-pressed="true">${swatch(index)}${label}</button>`)}
<button type="button" data-all="true">all</button><button type="button" data-all="false">none</button>
</div>
<div class="row choices">
<span class="label">axes</span>${choice("scale", "log", "log-log", true)}${choice("scale", "linear", "linear", false)}
<span class="label">bands</span>${choice("band", "runs", "80 % of runs", band === "runs")}${choice("band", "interval", "95 % interval of the mean", false)}${seeds ? choice("band", "seeds", "single seeds", false) : null}${choice("band", "none", "none", band === "none")}
</div>
</div>`;
}
