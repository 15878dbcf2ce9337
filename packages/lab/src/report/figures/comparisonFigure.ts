import type { ComparedCell } from "../../analysis/compare.js";
import type { Figure } from "../../chart/figure.js";
import { intervalChart, intervalReadings } from "../../chart/intervalChart.js";
import { formatShort } from "../../format/formatShort.js";
import { signedAxis } from "./signedAxis.js";

/** With more rows than this, the figure shows those with the smallest p values. */
const MOST_ROWS = 24;

/** The differences of the means, changed cells in the first colour and the others in grey. */
export function differenceFigure(cells: readonly ComparedCell[]): Figure | null {
  if (cells.length === 0) return null;
  const shown = cells.length <= MOST_ROWS ? cells : [...cells].sort((a, b) => a.p - b.p).slice(0, MOST_ROWS);
  const rows = shown.map(({ id, changed, difference }) => ({
    index: changed ? CHANGED : UNCHANGED,
    label: id,
    ...difference,
    theory: [],
    note: `${difference.estimate > 0 ? "+" : ""}${formatShort(difference.estimate)}`,
  }));
  const x = signedAxis(
    "after minus before",
    Math.min(0, ...rows.map(({ low }) => low)),
    Math.max(0, ...rows.map(({ high }) => high)),
    rows.map(({ estimate }) => estimate),
  );
  const verdicts = new Map(shown.map(({ id, verdict }) => [id, verdict]));
  return {
    name: "comparison",
    title: "Mean pseudo-regret at the horizon, after minus before",
    caption: [
      "Differences of the means with 95 % intervals. Left of 0: less regret than before. Blue circles: changed beyond noise; grey marks of three arms: within noise.",
      ...(shown.length < cells.length ? [`Shown are the ${MOST_ROWS} rows with the smallest p values, of ${cells.length}.`] : []),
      ...(x.type === "symlog"
        ? [
            `The axis is linear from ${formatShort(-x.constant!)} to ${formatShort(x.constant!)} and logarithmic beyond, because the sizes are very different.`,
          ]
        : []),
    ].join(" "),
    svg: intervalChart(x, rows, 0),
    readings: intervalReadings(x, rows, "number", ({ label }) => verdicts.get(label)!),
  };
}

/** The looks of the first policy, and of the one that is grey. */
const CHANGED = 0;
const UNCHANGED = 6;
