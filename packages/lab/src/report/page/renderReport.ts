import { createHash } from "node:crypto";
import { standaloneSvg } from "../../chart/serializeSvg.js";
import { figuresOf, type Report } from "../figures/drawReport.js";
import { anatomySection } from "../sections/anatomySection.js";
import { briefChapter } from "../sections/briefChapter.js";
import { groupSection } from "../sections/groupSection.js";
import { controls, findings, firstBand, head } from "../sections/head.js";
import { Html, html } from "../sections/html.js";
import { profileSection } from "../sections/profileSection.js";
import { failures, reproduction } from "../sections/reproduction.js";
import { sweepSection } from "../sections/sweepSection.js";
import { PAGE_SCRIPT } from "./pageScript.js";
import { styleSheet } from "./styleSheet.js";

/** The report: one HTML file that loads nothing from the network. */
export function renderReport(report: Report): string {
  const { analysis } = report;
  const { experiment, version, hash } = analysis.frozen;
  const admitted = createHash("sha256").update(PAGE_SCRIPT).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${admitted}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en" data-scale="log" data-band="${firstBand(Object.keys(experiment.policies).length)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${experiment.name}: tsallis report</title>
<style>${new Html(styleSheet(Object.keys(experiment.policies).length))}</style>
</head>
<body>
<a class="skip" href="#Findings">Skip to the findings</a>
<div class="page">
${head(analysis)}
<main>
${findings(analysis)}
${controls(analysis)}
${profileSection(report)}
${environmentSections(report)}
${report.sweeps.map(sweepSection)}
${anatomySection(report.plain)}
${failures(analysis)}
${reproduction(analysis)}
</main>
<footer>Written by tsallis ${version} from experiment ${hash.slice(0, 8)}. This page contains everything that it shows and loads nothing.</footer>
</div>
<script>${new Html(PAGE_SCRIPT)}</script>
</body>
</html>
`.text;
}

/** One section per environment, or, if there are many, one section with all of them folded. */
function environmentSections({ analysis, plain }: Report): Html {
  return analysis.manyEnvironments
    ? html`<section aria-labelledby="Environments"><h2 id="Environments">Environment by environment</h2>${plain.map((chapter) => briefChapter(chapter, chapter.group.title))}</section>`
    : html`${plain.map(groupSection)}`;
}

/** The same figures as separate files, by file name. */
export function renderFigures(report: Report): Map<string, string> {
  return new Map(figuresOf(report).map(({ name, title, svg }) => [`${name}.svg`, standaloneSvg(svg, title)]));
}
