import { formatCount, formatNumber, formatPercent, type Interval } from "tsallis/statistics";
import { type EvaluatedLog, formatLimit, notesOf, sentencesOf } from "../../evaluation/sentences.js";
import { evidenceFigure, MOST_DRAWN, raceFigure, sequencesFigure } from "../figures/evaluationFigures.js";
import { figureBlock } from "../sections/figureBlock.js";
import { type Html, html } from "../sections/html.js";
import { policyCell, tableBox } from "../sections/tables.js";
import { renderPage } from "./renderPage.js";

/** The tables list at most this many arms. */
const MOST_LISTED = 100;

/** The answers of logs as one HTML file that loads nothing from the network. */
export function renderEvaluation(logs: readonly EvaluatedLog[]): string {
  const [first] = logs;
  return renderPage({
    title: `${first!.name}: answers from a log`,
    skipTo: ["Answers", "the answers"],
    policies: Math.min(MOST_DRAWN, Math.max(...logs.map(({ arms }) => arms.length))),
    band: "runs",
    head: html`<header>
<p class="eyebrow">tsallis evaluate</p>
<h1>${logs.every(({ name }) => name === first!.name) ? first!.name : "Answers from logs"}</h1>
<ul class="facts">${facts(logs)}</ul>
</header>`,
    main: html`${logs.map(section)}`,
    foot: "Written by tsallis evaluate.",
  });
}

function facts(logs: readonly EvaluatedLog[]): Html {
  const sum = (of: (log: EvaluatedLog) => number) => formatCount(logs.reduce((total, log) => total + of(log), 0));
  const { cap, error } = logs[0]!;
  return html`<li><b>${sum(({ decisions }) => decisions)}</b> decisions</li><li><b>${sum(({ feedback }) => feedback)}</b> with feedback</li><li>cap <b>${formatLimit(cap)}</b></li><li><b>${formatPercent(1 - error)}</b> per row, whenever you look</li>`;
}

function section(log: EvaluatedLog, place: number): Html {
  const title = segmentOf(log) === null ? (place === 0 ? "Answers" : log.name) : `${log.name}, ${segmentOf(log)}`;
  const [stop, ...others] = sentencesOf(log);
  const name = `log-${place + 1}`;
  const figures = [sequencesFigure(log, name), evidenceFigure(log, name), raceFigure(log, name)].filter((figure) => figure !== null);
  return html`<section aria-labelledby="${place === 0 ? "Answers" : name}">
<h2 id="${place === 0 ? "Answers" : name}">${title}</h2>
<p class="answer ${log.verdict.answer === "yes" ? "holds" : "open"}">${stop!}</p>
${others.map((sentence) => html`<p>${sentence}</p>`)}
<div class="figures">${figures.map((figure) => figureBlock(figure))}</div>
${table(log)}
${notesOf(log).map((note) => html`<p class="note">${note}</p>`)}
</section>`;
}

function table(log: EvaluatedLog): Html {
  const { arms, policy, holdout, uniform, mix, saved, unit, error, source } = log;
  const tail = arms.some(({ uncapped }) => uncapped !== null);
  const cells = (mean: number | null, interval: Interval, plays: string, uncapped: Interval | null, status: string) =>
    html`<td>${plays}</td><td>${mean === null ? "–" : formatNumber(mean)}</td><td>${between(interval)}</td>${tail ? html`<td>${uncapped === null ? "" : between(uncapped)}</td>` : null}<td>${status}</td>`;
  const row = (name: string, answer: Interval & { readonly mean: number | null }) =>
    html`<tr><th scope="row">${name}</th>${cells(answer.mean, answer, "", null, "")}</tr>`;
  const rows = [
    ...arms
      .slice(0, MOST_LISTED)
      .map(
        (arm, index) =>
          html`<tr>${index < MOST_DRAWN ? policyCell(index, arm.name) : html`<th scope="row">${arm.name}</th>`}${cells(arm.mean, arm, formatCount(arm.plays), arm.uncapped, arm.status)}</tr>`,
      ),
    row("the policy", policy),
    ...(holdout === null ? [] : [row("the holdout", holdout)]),
    row("always uniform", uniform),
    ...(mix === null ? [] : [row("the mix", mix)]),
    row(unit === "loss" ? "saved per decision" : "gained per decision", saved),
  ];
  const head = html`<tr><th scope="col">arm</th><th scope="col">${source === "holdout" ? "holdout plays" : "plays"}</th><th scope="col">mean</th><th scope="col">${formatPercent(1 - error)}, whenever you look</th>${tail ? html`<th scope="col">the same, uncapped</th>` : null}<th scope="col">race</th></tr>`;
  const what = arms.length > MOST_LISTED ? `The first ${MOST_LISTED} of ${formatCount(arms.length)} arms` : "All arms, and what is made of them";
  return tableBox(segmentOf(log) === null ? `${what}: ${log.name}` : `${what}: ${log.name}, ${segmentOf(log)}`, head, rows);
}

/** The segment in words; null if the log has none. */
function segmentOf({ segment }: EvaluatedLog): string | null {
  return segment === null ? null : `segment ${segment === "" ? "(none)" : segment}`;
}

function between({ low, high }: Interval): string {
  return `${formatNumber(low)} to ${formatNumber(high)}`;
}
