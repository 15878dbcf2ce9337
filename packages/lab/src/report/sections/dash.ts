import { type Html, html } from "./html.js";

/** A missing value, with the reason in a few words. */
export function dash(reason: string): Html {
  return html`<span class="dash">– <span class="why">${reason}</span></span>`;
}
