import type { ClaimVerdict, WeighedEvidence } from "../../analysis/weighEvidence.js";
import { type Html, html } from "./html.js";

const WORDS = {
  supported: "The data support the claim.",
  contradicted: "The data contradict the claim.",
  open: "The data leave the claim open.",
} as const;

/** Whether the data support the claim, and how many statements say so; for a claim without evidence, a note that nothing judged it. */
export function claimVerdict({ verdict, evidence, stuck }: ClaimVerdict, claim: string | null): Html | null {
  if (verdict === null)
    return claim === null
      ? null
      : html`<p class="note">The document names no evidence for its claim, so no program judges it; compare the claim with the facts below.</p>`;
  return html`<p class="answer ${verdict}">${WORDS[verdict]} <a href="#Evidence">${tally(evidence)}</a></p>${stuck && html`<p class="few"><span class="verdict open">stuck runs</span> ${stuck}</p>`}`;
}

/** All 17 statements hold; or: 15 of 17 statements hold, 2 are open. */
function tally(evidence: readonly WeighedEvidence[]): string {
  const count = (verdict: WeighedEvidence["verdict"]) => evidence.filter((item) => item.verdict === verdict).length;
  const [holding, failing, open] = [count("holds"), count("fails"), count("open")];
  if (evidence.length === 1) return `Its one statement ${holding === 1 ? "holds" : failing === 1 ? "fails" : "is open"}.`;
  if (holding === evidence.length) return `All ${holding} statements hold.`;
  const parts = [
    ...(failing > 0 ? [`${failing} ${failing === 1 ? "fails" : "fail"}`] : []),
    ...(open > 0 ? [`${open} ${open === 1 ? "is" : "are"} open`] : []),
  ];
  return `${holding} of ${evidence.length} statements ${holding === 1 ? "holds" : "hold"}, ${parts.join(", ")}.`;
}
