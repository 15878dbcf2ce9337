import type { Group } from "../../analysis/group.js";
import { fixed, formatNumber, formatPercent } from "../../format/formatNumber.js";
import { type Html, html } from "./html.js";
import { policyCell, tableBox } from "./tables.js";

/** How regret grows with the rounds: the exponent of the tail, decade by decade, and whether a logarithm fits better than a power. */
export function growthTable({ title, members }: Group): Html | null {
  const rows = members.flatMap(({ index, label, row: { exponent }, growth }) => {
    if (exponent === null || growth === null) return [];
    const { decades, laws } = growth;
    const local = decades.map(
      ({ from, to, exponent: { estimate } }, place) =>
        html`${place === 0 ? "" : " → "}<span title="rounds ${formatNumber(from)} to ${formatNumber(to)}">${fixed(estimate)}</span>`,
    );
    const proved = exponent.theory === null ? "–" : exponent.theory === 0 ? "0 (ln T)" : fixed(exponent.theory);
    return [
      html`<tr>${policyCell(index, label)}<td><b>${fixed(exponent.estimate)}</b> <span class="interval">[${fixed(exponent.low)}, ${fixed(exponent.high)}]</span></td><td>${proved}</td><td>${local}</td><td>${decades.length === 0 ? "–" : fixed(decades.at(-1)!.ofLogarithm)}</td><td>${laws === null ? "–" : formatPercent(laws.logarithmCloser)}</td></tr>`,
    ];
  });
  if (rows.length === 0) return null;
  return tableBox(
    `Growth of regret in ${title}: the power of the rounds over the last decade and a half, and in each decade. Regret that grows like a logarithm would have the power of ln t; the last column is the share of resamples in which a + b ln t is closer to the curve than c t^p.`,
    html`<tr><th scope="col">policy</th><th scope="col">power [95 %]</th><th scope="col">proved power, at most</th><th scope="col">decade by decade</th><th scope="col">power of ln t in the last decade</th><th scope="col">ln t fits better in</th></tr>`,
    rows,
  );
}
