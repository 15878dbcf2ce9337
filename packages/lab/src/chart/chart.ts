import * as Plot from "@observablehq/plot";
import type { Axis } from "./axis.js";
import { type SvgElement, svgDocument } from "./svgDocument.js";

/** The width of a figure that fits one column of a paper, 85 mm; its text is then about 6.5 points high. */
export const FIGURE_WIDTH = 440;

/**
 * The one typeface of figures and pages: three names for letters of the same width, so that the space that labels are given fits them on every
 * system.
 */
export const TYPEFACE = "Helvetica, Arial, 'Liberation Sans', sans-serif";

export interface Chart {
  readonly x: Axis;
  readonly y: Axis;
  readonly height: number;
  readonly margin: { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };
  readonly marks: Plot.Markish[];
}

/** Draws a chart with numbers on both axes. */
export function drawChart({ x, y, height, margin, marks }: Chart): SvgElement {
  return draw({
    height,
    marginTop: margin.top,
    marginRight: margin.right,
    marginBottom: margin.bottom,
    marginLeft: margin.left,
    x: scaleOf(x),
    y: scaleOf(y),
    marks: [...axisMarks(x, y), ...marks],
  });
}

/** The grid, ticks and labels of both axes. */
function axisMarks(x: Axis, y: Axis): Plot.Markish[] {
  const quiet = { fill: "var(--muted)", tickSize: 0, tickPadding: 6, labelArrow: "none", fontSize: 11 } as const;
  return [
    Plot.gridX(x.minor, { stroke: "var(--faint)", strokeOpacity: 1 }),
    Plot.gridY(y.minor, { stroke: "var(--faint)", strokeOpacity: 1 }),
    Plot.gridX(x.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
    Plot.gridY(y.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
    Plot.axisX(x.ticks, { ...quiet, text: x.format, label: x.label, labelAnchor: "center", labelOffset: 34 }),
    Plot.axisY(y.ticks, { ...quiet, text: y.format, label: y.label }),
  ];
}

/** An axis as Plot takes it. */
export function scaleOf({ type, domain, constant }: Axis): Plot.ScaleOptions {
  return { type, domain: [...domain], ...(constant !== undefined && { constant }) };
}

/** Draws a figure with the common font and size. */
export function draw(options: Plot.PlotOptions): SvgElement {
  const svg = Plot.plot({ width: FIGURE_WIDTH, ...options, document: svgDocument() as never }) as unknown as SvgElement;
  svg.removeAttribute("class");
  svg.setAttribute("fill", "var(--ink)");
  svg.setAttribute("font-family", TYPEFACE);
  svg.setAttribute("font-size", "12");
  return svg;
}

/** The position of a value in pixels, computed as Plot does, to keep labels from overlapping. */
export function pixel({ type, domain: [low, high], constant = 1 }: Axis, value: number, from: number, to: number): number {
  const place =
    type === "log"
      ? Math.log
      : type === "symlog"
        ? (number: number) => Math.sign(number) * Math.log1p(Math.abs(number / constant))
        : (number: number) => number;
  return from + ((place(value) - place(low)) / (place(high) - place(low))) * (to - from);
}
