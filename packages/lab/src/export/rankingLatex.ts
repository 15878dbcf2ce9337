import type { Ranking, RankingEntry } from "../analysis/ranking.js";
import { escapeLatex } from "../format/escapeLatex.js";

/** The rankings as LaTeX: one `tabular` in the style of booktabs for each, for tables of the author's own. */
export function rankingLatex(rankings: readonly Ranking[]): string {
  return `% needs \\usepackage{booktabs}\n${rankings.map(tabular).join("\n")}`;
}

function tabular({ environment, sweep, horizon, entries }: Ranking): string {
  const at = sweep === null ? "" : `, ${sweep.path} = ${sweep.value}`;
  const marked = entries.some(({ note }) => note !== null);
  const lines = [
    `% ${oneLine(`${environment}${at}: pseudo-regret at round ${horizon}, mean with its 95 % interval`)}`,
    "\\begin{tabular}{rlrrrrrrrr}",
    "\\toprule",
    `\\multicolumn{10}{l}{${escapeLatex(environment + at)}, $T = ${horizon}$} \\\\`,
    "\\midrule",
    " & policy & mean & 95\\,\\% interval & median & 10--90\\,\\% & share & stuck & behind leader & bound \\\\",
    "\\midrule",
    ...entries.map(line),
    "\\bottomrule",
    ...(entries.some(({ behindFirst }) => behindFirst?.clear)
      ? ["\\multicolumn{10}{l}{\\footnotesize $^{\\dagger}$ more regret than the first beyond noise} \\\\"]
      : []),
    ...(marked ? ["\\multicolumn{10}{l}{\\footnotesize $^{*}$ no proved bound here} \\\\"] : []),
    "\\end{tabular}",
  ];
  return `${lines.join("\n")}\n`;
}

function line({ rank, policy, seeds, final, share, stuck, behindFirst, bound, note }: RankingEntry): string {
  const name = escapeLatex(policy) + (note === null ? "" : "$^{*}$");
  const cells =
    final === null
      ? [rank, name, "\\multicolumn{4}{l}{every run failed}"]
      : [rank, name, number(final.mean), seeds > 1 ? range(final.low, final.high) : "--", number(final.median), range(final.q10, final.q90)];
  const yardstick = [share === null ? "--" : number(share), stuck === null ? "--" : `${Number((100 * stuck).toFixed(1))}\\,\\%`];
  return `${[...cells, ...yardstick, behindFirst === null ? "--" : behind(behindFirst), bound === null ? "--" : number(bound)].join(" & ")} \\\\`;
}

/** Marked if it is beyond noise. */
function behind({ comparison: { pairs, meanDifference }, clear }: NonNullable<RankingEntry["behindFirst"]>): string {
  return `${number(meanDifference.estimate)}${pairs > 1 ? ` ${range(meanDifference.low, meanDifference.high)}` : ""}${clear ? "$^{\\dagger}$" : ""}`;
}

function range(low: number, high: number): string {
  return `[${number(low)}, ${number(high)}]`;
}

/** Four significant digits; powers of ten for very large and very small numbers. */
function number(value: number): string {
  const [digits, exponent] = value.toExponential(3).split("e");
  if (value === 0) return "$0$";
  if (Number(exponent) < -3 || Number(exponent) > 6) return `$${digits} \\times 10^{${Number(exponent)}}$`;
  return `$${value.toFixed(Math.max(0, 3 - Number(exponent)))}$`;
}

/** A LaTeX comment ends at the line end, so it must be one line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
