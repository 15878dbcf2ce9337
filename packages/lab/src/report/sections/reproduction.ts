import { formatCount } from "tsallis/statistics";
import type { Analysis } from "../../analysis/analysis.js";
import { citation, copied } from "./citation.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { tableBox } from "./tables.js";

/** Runs that failed, with their errors. */
export function failures({ runs, failures: failed }: Analysis): Html | null {
  const rows = failed.map(
    ({ id, error }) =>
      html`<tr><th scope="row"><code>${id}</code></th><td>${error.code ?? dash("none")}</td><td class="words">${error.message}</td></tr>`,
  );
  if (rows.length === 0) return null;
  return html`<section aria-labelledby="Failures">
<h2 id="Failures">Failed runs</h2>
<p>${rows.length === 1 ? "One run" : `${formatCount(rows.length)} runs`} of ${formatCount(runs.length)} failed and ${rows.length === 1 ? "is" : "are"} missing from every number above.</p>
${tableBox("Failed runs and their errors", html`<tr><th scope="col">run</th><th scope="col">code</th><th scope="col" class="words">error</th></tr>`, rows)}
</section>`;
}

/** Everything that is needed to obtain the same numbers again. */
export function reproduction({ frozen, runs }: Analysis): Html {
  const { experiment, version, hash, imports } = frozen;
  // As in a handwritten document, empty entries are left out.
  const { name, claim, evidence, sweep, ...rest } = experiment;
  const document = { name, ...(claim !== null && { claim }), ...(evidence.length > 0 && { evidence }), ...rest, ...(sweep.length > 0 && { sweep }) };
  const flags = imports.map(({ file }) => ` --import ${file}`).join("");
  return html`<section aria-labelledby="Reproduction">
<h2 id="Reproduction">How to reproduce this</h2>
<p>Save the document below as <code>${experiment.name}.json</code>, install tsallis ${version}, and run:</p>
${copied("the command", `tsallis run ${experiment.name}.json${flags}`)}
<p>The results are the same byte for byte on any machine and with any number of workers. A single run is a pure function of the document and its id, such as <code>${runs[0]?.id ?? ""}</code>.</p>
<dl>
<dt>version</dt><dd>${version}</dd>
<dt>experiment hash</dt><dd><code>${hash}</code></dd>
<dt>seeds</dt><dd>${seedsInWords(experiment.seeds)}</dd>
${imports.map(({ file, hash: text }) => html`<dt>imported module</dt><dd><code>${file}</code>, SHA-256 <code>${text}</code></dd>`)}
</dl>
<details class="document"><summary>The complete document</summary>${copied("the document", JSON.stringify(document, null, 2))}</details>
<h3>How to cite it</h3>
${copied("the references", citation(version, hash))}
</section>`;
}

function seedsInWords(seeds: readonly number[]): string {
  const consecutive = seeds.every((seed, index) => seed === seeds[0]! + index);
  return consecutive && seeds.length > 2 ? `${seeds[0]} to ${seeds.at(-1)}` : seeds.join(", ");
}
