import { formatPercent } from "tsallis/statistics";
import type { Figure, Series } from "../../chart/figure.js";
import { intervalChart, intervalReadings } from "../../chart/intervalChart.js";
import { formatShort } from "../../format/formatShort.js";
import type { PairedComparison } from "../../statistics/pairedComparison.js";
import { signedAxis } from "./signedAxis.js";

/** A policy compared with the one that came first. */
export interface Difference extends Series {
  readonly comparison: PairedComparison;
}

/** How much more regret each policy has at the horizon than the one that came first, on the same losses. */
export function differencesFigure(name: string, first: string, differences: readonly Difference[]): Figure | null {
  if (differences.length === 0) return null;
  const rows = differences.map(({ index, label, comparison: { meanDifference } }) => ({
    index,
    label,
    ...meanDifference,
    theory: [],
    note: `${meanDifference.estimate > 0 ? "+" : ""}${formatShort(meanDifference.estimate)}`,
  }));
  const x = signedAxis(
    "difference in pseudo-regret",
    Math.min(0, ...rows.map(({ low }) => low)),
    Math.max(0, ...rows.map(({ high }) => high)),
    rows.map(({ estimate }) => estimate),
  );
  const beaten = new Map(differences.map(({ index, comparison }) => [index, comparison.probability.estimate]));
  return {
    name: `${name}--differences`,
    title: `More regret than ${first}`,
    caption: [
      `Pseudo-regret at the horizon minus that of ${first}, seed by seed on the same losses: mean and 95 % interval. An interval that reaches zero leaves the order open.`,
      ...(x.type === "symlog"
        ? [
            `The axis is linear from ${formatShort(-x.constant!)} to ${formatShort(x.constant!)} and logarithmic beyond, because the sizes are very different.`,
          ]
        : []),
    ].join(" "),
    svg: intervalChart(x, rows, 0),
    readings: intervalReadings(x, rows, "number", ({ index }) => `less regret than ${first} in ${formatPercent(beaten.get(index)!)} of the seeds`),
  };
}
