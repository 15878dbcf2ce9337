import { useMemo, useRef, useState } from "preact/hooks";
import { formatNumber, powerOfTen } from "tsallis/statistics";
import type uPlot from "uplot";
import { axis, tickText } from "../../../common/axis.js";
import { Legend } from "../../../common/legend.js";
import { logAxis } from "../../../common/logAxis.js";
import { PALETTE, type Scheme } from "../../../common/palette.js";
import { Plot, type PlotOptions } from "../../../common/plot.js";
import { type SeriesStyle, thinOpacity } from "../../../common/seriesStyle.js";
import { drawEndLabels } from "./endLabels.js";
import { drawMarks } from "./roundMarks.js";

export interface ChartLine {
  readonly name: string;
  readonly style: SeriesStyle;
  readonly values: readonly number[];
}

interface Props {
  readonly label: string;
  readonly x: string;
  readonly y: string;
  /** Counts that grow; the axis is logarithmic. */
  readonly at: readonly number[];
  readonly lines: readonly ChartLine[];
  /** Drawn thin, in the colour of the first line and without a name. */
  readonly thin?: readonly (readonly number[])[];
  /** What the y axis spans. */
  readonly range: readonly [low: number, high: number];
  /** Whether the y axis is logarithmic too. */
  readonly log?: boolean;
  /** The point that is looked at when the mouse is elsewhere; the last one if left out. */
  readonly here?: number;
  /** A point in words. */
  where(x: string): string;
}

/** The room for the names of the lines, in pixels. */
const NAMES = 112;
/** A chart that is narrower has none. */
const WIDE = 500;

/** Lines over a count. */
export function LinesChart({ label, x, y, at, lines, thin = [], range, log = false, here = at.length - 1, where }: Props) {
  const [point, setPoint] = useState<number | null>(null);
  const data = useMemo(
    () => [[...at], ...thin.map((values) => [...values]), ...lines.map(({ values }) => [...values])] as uPlot.AlignedData,
    [at, lines, thin],
  );
  const shape = [x, y, log, thin.length, ...range, ...lines.map(({ name }) => name)].join("\n");
  const shown = Math.min(point ?? here, at.length - 1);
  const now = useRef(at[here]);
  now.current = at[here];
  const whereAt = (i: number) => where(tickText(at[i] ?? 0));
  const value = (line: ChartLine, i: number) => valueText(line.values[i]);
  return (
    <>
      <Plot
        label={label}
        shape={shape}
        data={data}
        height={320}
        at={shown}
        onPoint={setPoint}
        describe={(i) => `${whereAt(i)}: ${lines.map((line) => `${line.name} ${value(line, i)}`).join(", ")}`}
        redrawOn={here}
        options={(scheme) => options(scheme, { x, y, lines, thin, range, log }, () => now.current)}
      />
      <Legend at={`${whereAt(shown)}:`} entries={lines.map((line) => ({ name: line.name, style: line.style, value: value(line, shown) }))} lines />
    </>
  );
}

/** What is too large for double precision is not infinite. */
export function valueText(value: number | undefined): string {
  if (value === undefined) return "–";
  return value === Number.POSITIVE_INFINITY ? `> ${powerOfTen(300)}` : formatNumber(value);
}

type Look = Required<Pick<Props, "x" | "y" | "lines" | "thin" | "range" | "log">>;

function options(scheme: Scheme, { x, y, lines, thin, range: [low, high], log }: Look, here: () => number | undefined): PlotOptions {
  const colours = PALETTE[scheme];
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    padding: [8, (plot: uPlot) => (plot.width < WIDE ? 20 : NAMES), 0, 0],
    scales: { x: { time: false, distr: 3 }, y: { range: [low, high], distr: log ? 3 : 1 } },
    axes: [
      logAxis(scheme, "x", x),
      log ? logAxis(scheme, "y", y) : axis(scheme, { label: y, size: 52, values: (_, splits) => splits.map(tickText) }),
    ],
    hooks: {
      drawClear: [(plot) => log && drawMarks(plot, [{ round: here() ?? 0, words: "" }], colours)],
      draw: [
        (plot) => {
          const labels = lines.map(({ name, style }) => ({ words: name, colour: colours[style.colour] }));
          if (plot.width >= WIDE) drawEndLabels(plot, 1 + thin.length, labels, NAMES, true);
        },
      ],
    },
    series: [
      {},
      ...thin.map(() => ({ stroke: `${colours[lines[0]!.style.colour]}${thinOpacity(scheme)}`, width: 1, pxAlign: 0, points: { show: false } })),
      ...lines.map(({ style }) => ({ stroke: colours[style.colour], width: 2, dash: [...style.dash], pxAlign: 0, points: { show: false } })),
    ],
  };
}
