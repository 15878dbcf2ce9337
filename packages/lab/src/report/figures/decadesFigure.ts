import type { Group } from "../../analysis/group.js";
import { linearAxis, logAxis } from "../../chart/axis.js";
import type { Figure } from "../../chart/figure.js";
import { lineChart } from "../../chart/lineChart.js";
import { lineReadings } from "../../chart/readings.js";

/** The exponent of each decade of rounds: level for a power law, falling for a logarithm. */
export function decadesFigure(group: Group): Figure | null {
  const shown = group.members
    .map(({ index, label, growth }) => ({ index, label, decades: growth?.decades ?? [] }))
    .filter(({ decades }) => decades.length > 1);
  const decades = shown.flatMap((policy) => policy.decades);
  if (decades.length === 0) return null;
  const values = decades.flatMap(({ exponent }) => [exponent.low, exponent.high]);
  const low = Math.max(-1, Math.min(0, ...values));
  const high = Math.min(2, Math.max(1, ...values));
  const lines = shown.map(({ index, label, decades: own }) => ({
    index,
    label,
    everyPoint: true,
    points: own.map(({ to, exponent }) => ({ x: to, y: exponent.estimate })),
    bars: own.map(({ to, exponent }) => ({ x: to, low: Math.max(low, exponent.low), high: Math.min(high, exponent.high) })),
  }));
  const longest = shown.reduce((most, other) => (other.decades.length > most.decades.length ? other : most));
  const logarithm = longest.decades.map(({ to, ofLogarithm }) => ({ x: to, y: ofLogarithm }));
  const x = logAxis("last round of the decade", Math.min(...decades.map(({ to }) => to)), Math.max(...decades.map(({ to }) => to)));
  const y = linearAxis("power of the rounds", low, high + 0.05);
  const overlays = [{ points: logarithm, series: null, label: "ln t" }];
  return {
    name: `${group.slug}--decades`,
    title: "Growth, decade by decade",
    caption:
      "The power of the rounds with which mean regret grows within each decade of rounds; bars are 95 % intervals. A power law stays level, a logarithm falls like the dashed line.",
    svg: lineChart(x, y, lines, overlays),
    readings: lineReadings(x, y, lines, overlays, "decade up to round", "power"),
  };
}
