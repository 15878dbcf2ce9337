import * as Plot from "@observablehq/plot";
import type { Axis } from "./axis.js";
import { drawChart, FIGURE_WIDTH, pixel } from "./chart.js";
import type { Series } from "./figure.js";
import { type SeriesStyle, seriesStyle } from "./palette.js";
import { spread } from "./spread.js";
import type { SvgElement } from "./svgDocument.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Band {
  /** The kind of band, so that the page can show one kind at a time. */
  readonly kind: string;
  readonly points: readonly { readonly x: number; readonly low: number; readonly high: number }[];
}

export interface Line extends Series {
  readonly points: readonly Point[];
  readonly bands?: readonly Band[];
  /** Intervals at single points, drawn as bars. */
  readonly bars?: readonly { readonly x: number; readonly low: number; readonly high: number }[];
  /** Whether every point has a mark, not only a few. */
  readonly everyPoint?: boolean;
  /** Whether the line stays in the background, fainter and without marks. */
  readonly quiet?: boolean;
  /** What the page's cursor adds to every value of the line. */
  readonly note?: string;
  /** Curves that the page draws behind the line on demand, one value per point each. */
  readonly behind?: readonly (readonly number[])[];
}

/** A dashed line from theory: a bound in its policy's colour, or a slope in grey with a label. */
export interface Overlay {
  readonly points: readonly Point[];
  readonly series: Series | null;
  readonly label: string | null;
}

/** With more lines than this, the names do not fit beside the ends of the lines and go below the figure. */
const MOST_LABELS = 10;
const PLOT_HEIGHT = 236;
const TOP = 30;
/** The space for the ticks and the label of the x axis. */
export const BELOW = 42;
const LINE_HEIGHT = 14;
const MARKS = 6;

const LEGEND_COLUMNS = 3;

type StyleOf = (index: number) => SeriesStyle;

/** Where a line chart draws its lines, in pixels from the left and the top of the figure, and whether their names are beside their ends. */
export function frameOf(lines: readonly Line[]): { left: number; right: number; top: number; bottom: number; beside: boolean } {
  const beside = lines.length <= MOST_LABELS;
  const longest = Math.max(0, ...lines.map(({ label }) => shorten(label, 16).length));
  const right = FIGURE_WIDTH - (beside ? 18 + 6.4 * longest : 16);
  return { left: 46, right, top: TOP, bottom: TOP + PLOT_HEIGHT, beside };
}

/** Lines with bands, names at their ends, and dashed lines from theory. */
export function lineChart(x: Axis, y: Axis, lines: readonly Line[], overlays: readonly Overlay[] = [], styleOf: StyleOf = seriesStyle): SvgElement {
  const { left, right, top, bottom, beside } = frameOf(lines);
  const legendRows = beside ? 0 : Math.ceil(lines.length / LEGEND_COLUMNS);
  const margin = { top, right: FIGURE_WIDTH - right, bottom: BELOW + legendRows * 17, left };
  const shown = lines.map((line) => ({ ...line, points: line.points.filter((point) => inside(x, point.x) && inside(y, point.y)) }));
  const marks = [
    ...shown.flatMap((line) => bandMarks(line, x, y, !beside, styleOf)),
    ...overlays.flatMap((overlay) => overlayMarks(overlay, x, y, styleOf)),
    ...shown.flatMap((line) => lineMarks(line, x, margin.left, right, styleOf)),
    ...(beside ? endLabels(shown, y, bottom, margin.top, styleOf) : []),
  ];
  const legend = beside ? [] : legendMarks(lines, LEGEND_COLUMNS, bottom + 46, styleOf);
  return drawChart({ x, y, height: bottom + margin.bottom, margin, marks: [...marks, ...legend] });
}

function inside({ domain: [low, high] }: Axis, value: number): boolean {
  return value >= low && value <= high;
}

function bandMarks({ index, bands = [] }: Line, x: Axis, y: Axis, crowded: boolean, styleOf: StyleOf): Plot.Markish[] {
  const { className, colour } = styleOf(index);
  const [low, high] = y.domain;
  const clamp = (value: number): number => Math.min(high, Math.max(low, value));
  return bands.map(({ kind, points }) =>
    Plot.areaY(
      points.filter((point) => inside(x, point.x) && point.high > low && point.low < high),
      {
        x: "x",
        y1: (point) => clamp(point.low),
        y2: (point) => clamp(point.high),
        fill: colour,
        fillOpacity: crowded ? 0.06 : 0.16,
        className: `${className} band ${kind}`,
      },
    ),
  );
}

function lineMarks(
  { index, points, bars = [], everyPoint = false, quiet = false }: Line,
  x: Axis,
  left: number,
  right: number,
  styleOf: StyleOf,
): Plot.Markish[] {
  const { className, colour, dash, symbol } = styleOf(index);
  return [
    Plot.lineY(points, {
      x: "x",
      y: "y",
      stroke: colour,
      strokeWidth: 1.8,
      ...(quiet && { strokeOpacity: 0.25 }),
      ...(dash && { strokeDasharray: dash }),
      className,
    }),
    Plot.ruleX(bars, { x: "x", y1: "low", y2: "high", stroke: colour, strokeWidth: 1.4, className }),
    Plot.dot(quiet ? [] : everyPoint ? points : some(points, x, index, left, right), {
      x: "x",
      y: "y",
      symbol,
      r: 3.2,
      fill: colour,
      stroke: "var(--paper)",
      strokeWidth: 0.7,
      className,
    }),
  ];
}

/** A few points, evenly spaced on paper. Each series begins at another place, so that the marks of close lines do not cover each other. */
function some(points: readonly Point[], x: Axis, index: number, left: number, right: number): Point[] {
  const step = (right - left) / MARKS;
  const chosen = new Set<Point>();
  for (let mark = 0; mark < MARKS; mark++) {
    const goal = left + step * (mark + 0.25 + (index % 5) * 0.12);
    let nearest: Point | undefined;
    for (const point of points) {
      if (nearest === undefined || Math.abs(pixel(x, point.x, left, right) - goal) < Math.abs(pixel(x, nearest.x, left, right) - goal))
        nearest = point;
    }
    if (nearest !== undefined && Math.abs(pixel(x, nearest.x, left, right) - goal) < step / 2) chosen.add(nearest);
  }
  return [...chosen];
}

function overlayMarks({ points, series, label }: Overlay, x: Axis, y: Axis, styleOf: StyleOf): Plot.Markish[] {
  const visible = points.filter((point) => inside(x, point.x) && inside(y, point.y));
  if (visible.length < 2) return [];
  const style = series === null ? { colour: "var(--muted)", className: "theory" } : styleOf(series.index);
  const className = series === null ? "theory" : `${style.className} theory`;
  const anchor = visible.at(-1)!;
  return [
    Plot.lineY(visible, { x: "x", y: "y", stroke: style.colour, strokeWidth: 1.2, strokeDasharray: "4 3", className }),
    ...(label === null
      ? []
      : [
          Plot.text([anchor], {
            x: "x",
            y: "y",
            text: () => label,
            fill: style.colour,
            stroke: "var(--paper)",
            strokeWidth: 3,
            fontSize: 11,
            textAnchor: "end",
            dx: -3,
            dy: -9,
            className,
          }),
        ]),
  ];
}

function endLabels(lines: readonly Line[], y: Axis, bottom: number, top: number, styleOf: StyleOf): Plot.Markish[] {
  const ended = lines.filter(({ points }) => points.length > 0);
  const places = ended.map(({ points }) => pixel(y, points.at(-1)!.y, bottom, top));
  const moved = spread(places, LINE_HEIGHT, top + 2, bottom - 2);
  return ended.map(({ index, label, points }, rank) => {
    const { className, colour } = styleOf(index);
    const options = {
      x: "x",
      y: "y",
      fill: colour,
      textAnchor: "start",
      dx: 8,
      dy: moved[rank]! - places[rank]!,
      fontWeight: 600,
      className: `${className} end`,
    } as const;
    return Plot.text([points.at(-1)!], { ...options, text: () => shorten(label, 16) });
  });
}

/** The names below the figure: samples of line and mark in columns, drawn in pixels, which Plot uses for marks with a null scale. */
function legendMarks(lines: readonly Line[], columns: number, top: number, styleOf: StyleOf): Plot.Markish[] {
  const width = (FIGURE_WIDTH - 24) / columns;
  return lines.flatMap(({ index, label }, rank) => {
    const { className, colour, dash, symbol } = styleOf(index);
    const left = 12 + (rank % columns) * width;
    const y = top + Math.floor(rank / columns) * 17;
    const at = (value: number) => ({ value: [value], scale: null });
    return [
      Plot.link([0], {
        x1: at(left),
        x2: at(left + 24),
        y1: at(y),
        y2: at(y),
        stroke: colour,
        strokeWidth: 1.8,
        ...(dash && { strokeDasharray: dash }),
        className,
      }),
      Plot.dot([0], { x: at(left + 12), y: at(y), symbol, r: 3.2, fill: colour, stroke: "var(--paper)", strokeWidth: 0.7, className }),
      Plot.text([0], { x: at(left + 30), y: at(y), text: () => shorten(label, 17), textAnchor: "start", fontSize: 11, className }),
    ];
  });
}

/** A name cut to at most `most` characters. */
export function shorten(label: string, most: number): string {
  const characters = [...label];
  return characters.length <= most ? label : `${characters.slice(0, most - 1).join("")}…`;
}
