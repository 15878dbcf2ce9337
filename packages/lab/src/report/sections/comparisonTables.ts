import type { ComparedCell, Comparison } from "../../analysis/compare.js";
import { formatShort, formatShortInterval } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { badShare, tableBox } from "./tables.js";

export function verdictOf({ cells }: Comparison): string {
  if (cells.length === 0) return "Nothing to compare: the results share no environment and policy with completed runs of the same horizon.";
  const count = (verdict: ComparedCell["verdict"]) => cells.filter((cell) => cell.verdict === verdict).length;
  const [better, worse] = [count("better"), count("worse")];
  const of = `of ${cells.length} ${cells.length === 1 ? "cell" : "cells"} changed beyond noise`;
  return better + worse === 0 ? `None ${of}.` : `${better + worse} ${of}: ${better} better, ${worse} worse.`;
}

/** The classes of the style sheet: green, red and grey. */
const COLOURS = { better: "holds", worse: "fails", "within noise": "none" } as const;

/** All cells, those that changed first. */
export function changesTable(cells: readonly ComparedCell[]): Html | null {
  if (cells.length === 0) return null;
  const ordered = [...cells.filter(({ changed }) => changed), ...cells.filter(({ changed }) => !changed)];
  const rows = ordered.map(
    ({ id, means, difference, p, verdict, stuck, seeds, paired }) =>
      html`<tr><th scope="row">${id}</th><td><span class="verdict ${COLOURS[verdict]}">${verdict}</span></td><td>${formatShort(means[0])}</td><td>${formatShort(means[1])}</td><td><b>${difference.estimate > 0 ? "+" : ""}${formatShort(difference.estimate)}</b> <span class="interval">${formatShortInterval(difference.low, difference.high)}</span></td><td>${p.toPrecision(2)}</td><td>${share(stuck[0])} → ${share(stuck[1])}</td><td>${seeds[0]} → ${seeds[1]}</td><td>${paired ? "the same" : "not the same"}</td></tr>`,
  );
  return tableBox(
    "Mean pseudo-regret at the horizon, before and after",
    html`<tr><th scope="col">environment / policy</th><th scope="col">verdict</th><th scope="col">before</th><th scope="col">after</th><th scope="col">difference [95 %]</th><th scope="col">p</th><th scope="col">stuck</th><th scope="col">seeds</th><th scope="col">losses</th></tr>`,
    rows,
  );
}

/** What could not be compared, and why. */
export function othersList({ incomparable, onlyFirst, onlySecond }: Comparison): Html | null {
  const items = [
    ...incomparable.map(({ id, reason }) => html`<li>${id}: not comparable, ${reason}</li>`),
    ...onlyFirst.map((id) => html`<li>${id}: only before</li>`),
    ...onlySecond.map((id) => html`<li>${id}: only after</li>`),
  ];
  return items.length === 0 ? null : html`<h3>Without a counterpart</h3><ul>${items}</ul>`;
}

function share(value: number | null): Html {
  return value === null ? dash("not known") : badShare(value);
}
