import { type Axis, linearAxis, symlogAxis } from "../../chart/axis.js";
import type { Figure, Series } from "../../chart/figure.js";
import { intervalChart } from "../../chart/intervalChart.js";
import { formatNumber } from "../../format/formatNumber.js";
import type { PairedComparison } from "../../statistics/pairedComparison.js";

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
    note: `${meanDifference.estimate > 0 ? "+" : ""}${formatNumber(meanDifference.estimate)}`,
  }));
  return {
    name: `${name}--differences`,
    title: `More regret than ${first}`,
    caption: `Pseudo-regret at the horizon minus that of ${first}, seed by seed on the same losses: mean and 95 % interval. An interval that reaches zero leaves the order open.`,
    svg: intervalChart(differenceAxis(rows), rows, 0),
  };
}

function differenceAxis(rows: readonly { readonly estimate: number; readonly low: number; readonly high: number }[]): Axis {
  const label = "difference in pseudo-regret";
  const low = Math.min(0, ...rows.map((row) => row.low));
  const high = Math.max(0, ...rows.map((row) => row.high));
  if (low === high) return linearAxis(label, -1, 1);
  const padding = 0.05 * (high - low);
  const sizes = rows.map(({ estimate }) => Math.abs(estimate)).filter((size) => size > 0);
  const smallest = Math.min(...sizes);
  if (!(Math.max(...sizes) > 40 * smallest)) return linearAxis(label, low - padding, high + padding);
  const constant = 10 ** Math.max(Math.floor(Math.log10(smallest)), Math.ceil(Math.log10(Math.max(-low, high))) - 5);
  return symlogAxis(label, low * 1.3, high * 1.3, constant);
}
