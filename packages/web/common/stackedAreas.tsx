import { useMemo, useState } from "preact/hooks";
import { formatPercent } from "tsallis/statistics";
import type { AlignedData } from "uplot";
import { axis } from "./axis.js";
import { formatMoment, formatTicks } from "./formatTime.js";
import { Legend } from "./legend.js";
import { PALETTE, type Scheme } from "./palette.js";
import { Plot, type PlotOptions } from "./plot.js";
import type { SeriesStyle } from "./seriesStyle.js";

export interface Area {
  readonly name: string;
  readonly style: SeriesStyle;
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly label: string;
  /** In seconds since 1970. */
  readonly times: readonly number[];
  /** Shares that sum to 1, from the bottom up. */
  readonly areas: readonly Area[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The distances that ticks may have, in seconds. Labels have whole seconds, so that shorter ones would repeat them. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 10, 30, 60, 180, 365, 730, 1_825].map((days) => days * DAY),
];

/** Shares over time, one on top of the other. */
export function StackedAreas({ label, times, areas }: Props) {
  const [point, setPoint] = useState<number | null>(null);
  const data = useMemo(() => stack(times, areas), [times, areas]);
  const shape = areas.map(({ name, style }) => `${style.colour} ${name}`).join("\n");
  const last = times.length - 1;
  const at = Math.min(point ?? last, last);
  const entries = areas.map(({ name, style, values }) => ({ name, style, value: text(values[at]) }));
  const describe = (index: number) =>
    `${formatMoment(times[index]! * 1000)}: ${areas.map(({ name, values }) => `${name} ${text(values[index])}`).join(", ")}`;
  return (
    <>
      <Plot
        label={label}
        shape={shape}
        data={data}
        height={260}
        at={at}
        onPoint={setPoint}
        describe={describe}
        options={(scheme) => options(scheme, areas)}
      />
      <Legend at={point === null ? "Last:" : `${formatMoment(times[at]! * 1000)}:`} entries={entries} />
    </>
  );
}

function text(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : formatPercent(value);
}

/** The sums from the bottom up, which are what is drawn. */
function stack(times: readonly number[], areas: readonly Area[]): AlignedData {
  const sums: (number | null)[][] = [];
  for (const { values } of areas) {
    const below = sums.at(-1);
    sums.push(values.map((value, i) => (value === null || below?.[i] === null ? null : value + (below?.[i] ?? 0))));
  }
  return [[...times], ...sums];
}

function options(scheme: Scheme, areas: readonly Area[]): PlotOptions {
  const colours = PALETTE[scheme];
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    padding: [8, 28, 0, 0],
    scales: { y: { range: [0, 1] } },
    axes: [
      axis(scheme, { size: 30, space: 70, incrs: STEPS, values: (_, splits, _axis, _space, step) => formatTicks(splits, step) }),
      axis(scheme, { size: 52, splits: () => [0, 0.25, 0.5, 0.75, 1], values: (_, splits) => splits.map((split) => formatPercent(split)) }),
    ],
    series: [
      {},
      ...areas.map(({ style }) => ({ stroke: colours.paper, width: 1, fill: colours[style.colour] + style.opacity, points: { show: false } })),
    ],
    bands: areas.slice(1).map((_, i) => ({ series: [i + 2, i + 1] as [number, number] })),
  };
}
