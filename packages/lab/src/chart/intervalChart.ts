import * as Plot from "@observablehq/plot";
import type { Axis } from "./axis.js";
import { draw, FIGURE_WIDTH, scaleOf } from "./chart.js";
import type { Series } from "./figure.js";
import { shorten } from "./lineChart.js";
import { seriesStyle } from "./palette.js";
import type { Form, Readings } from "./readings.js";
import type { SvgElement } from "./svgDocument.js";

/** A number with its interval, and the values that theory gives for it. */
export interface IntervalRow extends Series {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly theory: readonly number[];
  /** Printed at the right end of the row. */
  readonly note: string;
}

const ROW_HEIGHT = 26;
const TOP = 12;
const MOST_LETTERS = 24;
const BELOW = 44;

/** Where the dots are drawn, in pixels from the left and the top of the figure. */
function intervalFrame(rows: readonly IntervalRow[]): { left: number; right: number; bottom: number } {
  return {
    left: 14 + 6.6 * Math.max(...rows.map(({ label }) => shorten(label, MOST_LETTERS).length)),
    right: FIGURE_WIDTH - 18 - 6 * Math.max(...rows.map(({ note }) => note.length)),
    bottom: TOP + rows.length * ROW_HEIGHT,
  };
}

/** The values of the rows, for the page's cursor; `remark` is added to each in words. */
export function intervalReadings(x: Axis, rows: readonly IntervalRow[], form: Form, remark: (row: IntervalRow) => string | null): Readings {
  const { left, right, bottom } = intervalFrame(rows);
  const y = { type: "linear", domain: [rows.length - 0.5, -0.5] } as const;
  return {
    panels: [{ x: { axis: x, from: left, to: right }, y: { axis: y, from: bottom, to: TOP } }],
    across: "",
    rows: true,
    stacked: false,
    form,
    series: rows.map((row, place) => ({
      index: row.index,
      label: row.label,
      panel: 0,
      x: [row.estimate],
      y: [place],
      at: null,
      low: [row.low],
      high: [row.high],
      note: remark(row),
      behind: [],
    })),
    // The numbers at the right end are in the table beside the figure, too.
    narrow: { width: right + 8, height: bottom + BELOW, names: [] },
  };
}

/** Dots with intervals, one row each, over a numbered axis; a rule at `origin`. */
export function intervalChart(x: Axis, rows: readonly IntervalRow[], origin: number | null): SvgElement {
  const { left, right, bottom } = intervalFrame(rows);
  const fit = (value: number): number => Math.min(x.domain[1], Math.max(x.domain[0], value));
  const quiet = { fill: "var(--muted)", tickSize: 0, tickPadding: 6, labelArrow: "none", fontSize: 11 } as const;
  return draw({
    height: bottom + BELOW,
    marginTop: TOP,
    marginBottom: BELOW,
    marginLeft: left,
    marginRight: FIGURE_WIDTH - right,
    x: scaleOf(x),
    y: { type: "linear", domain: [rows.length - 0.5, -0.5], axis: null },
    marks: [
      Plot.gridX(x.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX(x.ticks, { ...quiet, text: x.format, label: x.label, labelAnchor: "center", labelOffset: 36 }),
      ...(origin === null ? [] : [Plot.ruleX([origin], { stroke: "var(--ink)", strokeWidth: 1.2 })]),
      ...rows.flatMap(({ index, label, estimate, low, high, theory, note }, place) => {
        const { className, colour, symbol } = seriesStyle(index);
        const name = { y: [place], frameAnchor: "left", dx: -8, textAnchor: "end", fill: colour, fontWeight: 600, className } as const;
        return [
          Plot.text([place], { ...name, text: () => shorten(label, MOST_LETTERS) }),
          Plot.ruleY([place], { y: [place], x1: [fit(low)], x2: [fit(high)], stroke: colour, strokeWidth: 2.2, className }),
          Plot.ruleX(theory, {
            x: fit,
            y1: () => place - 0.34,
            y2: () => place + 0.34,
            stroke: "var(--ink)",
            strokeWidth: 2,
            className: `${className} theory`,
          }),
          Plot.dot([place], { x: [fit(estimate)], y: [place], symbol, r: 4.4, fill: colour, stroke: "var(--paper)", strokeWidth: 0.8, className }),
          Plot.text([place], {
            y: [place],
            frameAnchor: "right",
            dx: FIGURE_WIDTH - right - 4,
            textAnchor: "end",
            text: () => note,
            fontSize: 11,
            fill: "var(--muted)",
            className,
          }),
        ];
      }),
    ],
    width: FIGURE_WIDTH,
  });
}
