import type { Axis } from "./axis.js";
import { FIGURE_WIDTH } from "./chart.js";
import type { Series } from "./figure.js";
import { BELOW, frameOf, type Line, type Overlay } from "./lineChart.js";

/** How a value is written. */
export type Form = "number" | "percent" | "power";

/** One part of a figure in which values have places: the axes, and the pixels between which they reach. */
export interface Panel {
  readonly x: PixelAxis;
  readonly y: PixelAxis;
}

export interface PixelAxis {
  readonly axis: Pick<Axis, "type" | "domain" | "constant">;
  readonly from: number;
  readonly to: number;
}

/** The values of one line or row. */
export interface ReadSeries {
  /** The policy's position in the document; null if the series belongs to none, and is always shown. */
  readonly index: number | null;
  readonly label: string;
  readonly panel: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** The x in words; null if the numbers will do. */
  readonly at: readonly string[] | null;
  /** The interval around each value; null if there is none. */
  readonly low: readonly number[] | null;
  readonly high: readonly number[] | null;
  /** Added to every value in words; null if there is nothing to add. */
  readonly note: string | null;
  /** Curves behind the mean, shown on demand. */
  readonly behind: readonly (readonly number[])[];
}

/** The values behind a figure, for the page's cursor. */
export interface Readings {
  readonly panels: readonly Panel[];
  /** What the x axis counts, in the singular. */
  readonly across: string;
  /** Whether the value is on the x axis, one row each. */
  readonly rows: boolean;
  /** Whether the values are layers, each on top of the one before it in the same panel. */
  readonly stacked: boolean;
  readonly form: Form;
  readonly series: readonly ReadSeries[];
  readonly narrow: Narrow;
}

/**
 * How a narrow screen lays the figure out: it shows this part of the drawing over its whole width, so that letters keep their size, and names what the
 * cut away margin named in a list below.
 */
export interface Narrow {
  readonly width: number;
  readonly height: number;
  readonly names: readonly Series[];
}

/** The values of a line chart: those of its lines, with the intervals that it shows, and of its dashed lines. */
export function lineReadings(x: Axis, y: Axis, lines: readonly Line[], overlays: readonly Overlay[], across: string, form: Form): Readings {
  const { left, right, top, bottom, beside } = frameOf(lines);
  const own = lines.map(({ index, label, points, bands = [], bars, note = null, behind = [] }): ReadSeries => {
    const intervals = bars ?? bands.find(({ kind }) => kind === "interval")?.points;
    return {
      index,
      label,
      panel: 0,
      x: points.map((point) => point.x),
      y: points.map((point) => point.y),
      at: null,
      low: intervals?.map(({ low }) => low) ?? null,
      high: intervals?.map(({ high }) => high) ?? null,
      note,
      behind,
    };
  });
  const theory = overlays.map(
    ({ points, series, label }): ReadSeries => ({
      index: series?.index ?? null,
      label: label ?? `slope of the bound of ${series?.label}`,
      panel: 0,
      x: points.map((point) => point.x),
      y: points.map((point) => point.y),
      at: null,
      low: null,
      high: null,
      note: null,
      behind: [],
    }),
  );
  return {
    panels: [{ x: { axis: x, from: left, to: right }, y: { axis: y, from: bottom, to: top } }],
    across,
    rows: false,
    stacked: false,
    form,
    series: [...own, ...theory],
    narrow: { width: beside ? right + 14 : FIGURE_WIDTH, height: bottom + BELOW, names: fromTheTop(lines) },
  };
}

/** In the order in which the lines end, the highest first. */
function fromTheTop(lines: readonly Line[]): Series[] {
  const ends = (line: Line) => line.points.at(-1)?.y ?? -Infinity;
  return [...lines].sort((a, b) => (ends(b) > ends(a) ? 1 : ends(b) < ends(a) ? -1 : 0)).map(({ index, label }) => ({ index, label }));
}
