import type { ClaimVerdict } from "../../analysis/weighEvidence.js";
import { type Html, html } from "./html.js";

const WORDS = {
  supported: "The data support the claim.",
  contradicted: "The data contradict the claim.",
  open: "The data leave the claim open.",
} as const;

/** Whether the data support the claim, statement by statement; for a claim without evidence, a note that nothing judged it. */
export function claimVerdict({ verdict, evidence }: ClaimVerdict, claim: string | null): Html | null {
  if (verdict === null)
    return claim === null
      ? null
      : html`<p class="note">The document names no evidence for its claim, so no program judges it; compare the claim with the facts below.</p>`;
  const items = evidence.map(
    (item) =>
      html`<li><span class="verdict ${item.verdict}">${item.verdict}</span> ${item.statement}. <span class="interval">Measured: ${item.measured}.</span></li>`,
  );
  return html`<p class="answer ${verdict}">${WORDS[verdict]}</p>
<ul class="findings evidence">${items}</ul>
<p class="note">The claim rests on these statements in the document. "Less regret" is tested on the differences at the same seeds, at 5 % for all statements together; a power holds if its whole 95 % interval lies in the range.</p>
<h3>Environment by environment</h3>`;
}
