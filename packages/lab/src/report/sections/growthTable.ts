import { formatNumber, formatPercent } from "tsallis/statistics";
import type { Group } from "../../analysis/group.js";
import { whyNoExponent } from "../../analysis/whyNoExponent.js";
import { fixed } from "../../format/formatShort.js";
import { dash } from "./dash.js";
import { type Html, html } from "./html.js";
import { policyCell, tableBox } from "./tables.js";

/** How regret grows with the rounds: the exponent of the tail, decade by decade, and whether a logarithm fits better than a power. */
export function growthTable({ title, members }: Group): Html | null {
  if (members.every(({ row }) => row.exponent === null)) return null;
  const rows = members.flatMap(({ index, label, row, growth }) => {
    const { exponent } = row;
    if (growth === null) return [];
    if (exponent === null) return [html`<tr>${policyCell(index, label)}<td colspan="5">${dash(whyNoExponent(row))}</td></tr>`];
    const { decades, fits } = growth;
    const local = decades.map(
      ({ from, to, exponent: { estimate } }, place) =>
        html`${place === 0 ? "" : " → "}<span title="rounds ${formatNumber(from)} to ${formatNumber(to)}">${fixed(estimate)}</span>`,
    );
    const proved = exponent.theory === null ? dash("nothing is proved") : exponent.theory === 0 ? "0 (ln T)" : fixed(exponent.theory);
    return [
      html`<tr>${policyCell(index, label)}<td><b>${fixed(exponent.estimate)}</b> <span class="interval">[${fixed(exponent.low)}, ${fixed(exponent.high)}]</span></td><td>${proved}</td><td>${decades.length === 0 ? dash("less than a decade") : local}</td><td>${decades.length === 0 ? dash("less than a decade") : fixed(decades.at(-1)!.ofLogarithm)}</td><td>${fits === null ? dash("no fit") : formatPercent(fits.logarithmCloser)}</td></tr>`,
    ];
  });
  if (rows.length === 0) return null;
  return tableBox(
    `Growth of regret in ${title}: the power of the rounds over the last decade and a half, and in each decade. Regret that grows like a logarithm would have the power of ln t; the last column is the share of resamples in which a + b ln t is closer to the curve than c t^p.`,
    html`<tr><th scope="col">policy</th><th scope="col">power [95 %]</th><th scope="col">proved power, at most</th><th scope="col">decade by decade</th><th scope="col">power of ln t in the last decade</th><th scope="col">ln t fits better in</th></tr>`,
    rows,
  );
}
