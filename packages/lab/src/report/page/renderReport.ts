import { pgfPicture } from "../../chart/pgfPicture.js";
import { standaloneSvg } from "../../chart/serializeSvg.js";
import { figuresOf, type Report } from "../figures/drawReport.js";
import { anatomySection } from "../sections/anatomySection.js";
import { briefChapter } from "../sections/briefChapter.js";
import { groupSection } from "../sections/groupSection.js";
import { controls, findings, firstBand, head } from "../sections/head.js";
import { type Html, html } from "../sections/html.js";
import { profileSection } from "../sections/profileSection.js";
import { failures, reproduction } from "../sections/reproduction.js";
import { sweepSection } from "../sections/sweepSection.js";
import { renderPage } from "./renderPage.js";

/** The report: one HTML file that loads nothing from the network. */
export function renderReport(report: Report): string {
  const { analysis } = report;
  const { experiment, version, hash } = analysis.frozen;
  const policies = Object.keys(experiment.policies).length;
  return renderPage({
    title: `${experiment.name}: tsallis report`,
    skipTo: ["Findings", "the findings"],
    policies,
    band: firstBand(policies),
    head: head(analysis),
    main: html`${findings(analysis)}
${controls(analysis)}
${profileSection(report)}
${environmentSections(report)}
${report.sweeps.map(sweepSection)}
${anatomySection(report.plain)}
${failures(analysis)}
${reproduction(analysis)}`,
    foot: `Written by tsallis ${version} from experiment ${hash.slice(0, 8)}.`,
  });
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

/** The same figures for LaTeX, by file name. */
export function renderLatexFigures(report: Report): Map<string, string> {
  return new Map(figuresOf(report).map(({ name, title, svg }) => [`${name}.pgf`, pgfPicture(svg, title)]));
}
