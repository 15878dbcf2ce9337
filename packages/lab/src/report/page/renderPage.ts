import { createHash } from "node:crypto";
import { Html, html } from "../sections/html.js";
import { swatches } from "../sections/swatch.js";
import { PAGE_SCRIPT } from "./script/pageScript.js";
import { styleSheet } from "./styleSheet.js";

export interface PageContent {
  readonly title: string;
  /** The id of the section that keyboard users can skip to, and its name. */
  readonly skipTo: readonly [id: string, name: string];
  /** How many policies have looks and switches. */
  readonly policies: number;
  readonly band: "runs" | "none";
  readonly head: Html;
  readonly main: Html;
  readonly foot: string;
}

/** The terms of an anatomy have looks of their own, whatever the number of policies. */
const FEWEST_LOOKS = 8;

/** One HTML file that loads nothing from the network. Its figures may be turned into images, so images from inside the page are allowed. */
export function renderPage({ title, skipTo: [id, name], policies, band, head, main, foot }: PageContent): string {
  const admitted = createHash("sha256").update(PAGE_SCRIPT).digest("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${admitted}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en" data-scale="log" data-band="${band}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(styleSheet(policies))}</style>
</head>
<body>
<a class="skip" href="#${id}">Skip to ${name}</a>
${swatches(Math.max(policies, FEWEST_LOOKS))}
<div class="page">
${head}
<main>
${main}
</main>
<footer>${foot} This page contains everything that it shows and loads nothing.</footer>
</div>
<script>${new Html(PAGE_SCRIPT)}</script>
</body>
</html>
`.text;
}
