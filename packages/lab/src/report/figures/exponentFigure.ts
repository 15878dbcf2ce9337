import type { Group } from "../../analysis/group.js";
import { whyNoExponent } from "../../analysis/whyNoExponent.js";
import { linearAxis } from "../../chart/axis.js";
import type { Figure } from "../../chart/figure.js";
import { intervalChart, intervalReadings } from "../../chart/intervalChart.js";
import { fixed } from "../../format/formatShort.js";

/** Fitted powers of the rounds, beside the powers in the theorems. */
export function exponentFigure(group: Group): Figure | null {
  const rows = group.members.flatMap(({ index, label, row: { exponent }, guarantee }) => {
    const theory = [...new Set((guarantee?.bounds ?? []).map((bound) => bound.exponent))];
    return exponent === null ? [] : [{ index, label, ...exponent, theory, note: fixed(exponent.estimate) }];
  });
  if (rows.length === 0) return null;
  const absent = group.members.filter(({ row }) => row.exponent === null);
  const values = rows.flatMap(({ low, high, theory }) => [low, high, ...theory]);
  const low = Math.max(-1, Math.min(0, ...values));
  const high = Math.min(2, Math.max(1, ...values));
  const x = linearAxis("exponent of the rounds", low - 0.02, high + 0.04);
  return {
    name: `${group.slug}--exponents`,
    title: "Growth of regret: measured and proved",
    caption: [
      "Dots: the power of the rounds with which mean regret grows over the last decade and a half, with 95 % intervals. Vertical bars: the powers that are proved for the policy here, 0 for a logarithm. The proved powers bound growth in the long run; before that, a dot may lie to the right of its bar.",
      ...absent.map(({ label, row }) => `No dot for ${label}: ${whyNoExponent(row)}.`),
    ].join(" "),
    svg: intervalChart(x, rows, null),
    readings: intervalReadings(x, rows, "power", ({ theory }) =>
      theory.length === 0 ? "nothing is proved here" : `proved: ${theory.map(fixed).join(" and ")}`,
    ),
  };
}
