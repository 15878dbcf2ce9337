import { useMemo, useState } from "preact/hooks";
import { formatNumber, formatPercent } from "tsallis/statistics";
import uPlot, { type AlignedData } from "uplot";
import { Legend } from "./legend.js";
import { logAxis } from "./logAxis.js";
import { PALETTE, type Scheme } from "./palette.js";
import { Plot, type PlotOptions } from "./plot.js";
import type { SeriesStyle } from "./seriesStyle.js";

export interface Line {
  readonly name: string;
  readonly style: SeriesStyle;
  /** Positive numbers, with growing x and a share that falls. */
  readonly points: readonly (readonly [x: number, share: number])[];
}

/** Where nearly all is larger, nothing is to be seen. */
const FLAT = 0.97;

interface Props {
  readonly label: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly Line[];
  /** In pixels. */
  readonly height?: number;
}

/** Shares that fall as x grows, both axes logarithmic. */
export function LogLines({ label, x, y, lines, height = 300 }: Props) {
  const [point, setPoint] = useState<number | null>(null);
  const data = useMemo(() => align(lines), [lines]);
  const shape = [x, y, ...lines.map(({ name, style }) => `${style.colour} ${name}`)].join("\n");
  const at = Math.min(point ?? Math.floor(data[0].length / 2), data[0].length - 1);
  const size = data[0][at]!;
  const describe = (index: number) =>
    `${x} ${formatNumber(data[0][index]!)}: ${lines.map((line) => `${line.name} ${formatPercent(shareAt(line, data[0][index]!))}`).join(", ")}`;
  const entries = lines.map((line) => ({ name: line.name, style: line.style, value: formatPercent(shareAt(line, size)) }));
  return (
    <>
      <Plot
        label={label}
        shape={shape}
        data={data}
        height={height}
        at={at}
        onPoint={setPoint}
        describe={describe}
        options={(scheme) => options(scheme, x, y, lines)}
      />
      <Legend at={`Larger than ${formatNumber(size)}:`} entries={entries} lines />
    </>
  );
}

/** The share of the last point that x has passed. */
function shareAt({ points }: Line, x: number): number {
  let share = 1;
  for (const [size, larger] of points) if (size <= x) share = larger;
  return share;
}

/** From where on the first line falls: what is left of it is flat, and on a logarithmic axis it may be most of the picture. */
function align(lines: readonly Line[]): AlignedData {
  const start = Math.min(...lines.map(({ points }) => (points.find(([, share]) => share < FLAT) ?? points[0]!)[0]));
  const shown = lines.map(({ points }) => points.filter(([x]) => x >= start));
  return uPlot.join(shown.map((points) => [points.map(([x]) => x), points.map(([, share]) => share)]));
}

function options(scheme: Scheme, x: string, y: string, lines: readonly Line[]): PlotOptions {
  const colours = PALETTE[scheme];
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    padding: [8, 28, 0, 0],
    scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
    axes: [logAxis(scheme, "x", x), logAxis(scheme, "y", y)],
    series: [
      {},
      ...lines.map(({ style }) => ({ stroke: colours[style.colour], width: 2, dash: [...style.dash], spanGaps: true, points: { show: false } })),
    ],
  };
}
