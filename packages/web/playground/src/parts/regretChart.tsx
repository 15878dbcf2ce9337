import { useMemo, useState } from "preact/hooks";
import { formatCount, formatNumber } from "tsallis/statistics";
import type uPlot from "uplot";
import { axis } from "../../../common/axis.js";
import { Legend } from "../../../common/legend.js";
import { logAxis } from "../../../common/logAxis.js";
import { PALETTE, type Scheme } from "../../../common/palette.js";
import { Plot, type PlotOptions } from "../../../common/plot.js";
import { type SeriesStyle, seriesStyle } from "../../../common/seriesStyle.js";
import type { RaceView } from "../engine/engine.js";

/** A curve that is not played but computed, such as a bound. */
export interface Curve {
  readonly name: string;
  readonly style: SeriesStyle;
  at(round: number): number;
}

interface Props {
  readonly view: RaceView;
  readonly labels: readonly string[];
  /** Both axes. Where regret is negative, a logarithmic one shows nothing. */
  readonly scale: "linear" | "log";
  readonly curves?: readonly Curve[];
  readonly rounds: number;
  /** Whether there is more than one seed, and so a band around the median. */
  readonly band: boolean;
  /** What the vertical axis shows. */
  readonly measure: string;
}

const HEIGHT = 320;

/** Pseudo-regret over the rounds: the median over the seeds, and where eight of ten lie. */
export function RegretChart({ view, labels, scale, curves = [], rounds, band, measure }: Props) {
  const [point, setPoint] = useState<number | null>(null);
  const shown = Math.max(2, view.checkpoints.filter((round) => round <= view.round).length);
  const data = useMemo(() => aligned(view, shown, scale, curves, band), [view.race, view.version, shown, scale, curves, band]);
  const shape = [scale, band, measure, rounds, ...labels, ...curves.map(({ name, style }) => `${style.colour} ${name}`)].join("\n");
  const at = Math.min(point ?? shown - 1, shown - 1);
  const valueAt = (i: number, policy: number) => text(view.tapes[policy]?.median[i]);
  const entries = [
    ...labels.map((name, policy) => ({ name, style: seriesStyle(policy), value: valueAt(at, policy) })),
    ...curves.map(({ name, style, at: curve }) => ({ name, style, value: text(curve(view.checkpoints[at]!)) })),
  ];
  const describe = (i: number) =>
    `round ${formatCount(view.checkpoints[i]!)}: ${labels.map((name, policy) => `${name} ${valueAt(i, policy)}`).join(", ")}`;
  return (
    <>
      <Plot
        label={`${measure} of ${labels.join(", ")}`}
        shape={shape}
        data={data}
        height={HEIGHT}
        at={at}
        onPoint={setPoint}
        describe={describe}
        options={(scheme) => options(scheme, labels.length, scale, curves, band, measure)}
      />
      <Legend at={`Round ${formatCount(view.checkpoints[at]!)}:`} entries={entries} lines />
    </>
  );
}

function text(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : formatNumber(value);
}

function aligned({ checkpoints, tapes }: RaceView, shown: number, scale: Props["scale"], curves: readonly Curve[], band: boolean): uPlot.AlignedData {
  const visible = (values: readonly (number | null)[]) =>
    values.slice(0, shown).map((value) => (value === null || (scale === "log" && !(value > 0)) ? null : value));
  const x = checkpoints.slice(0, shown);
  return [
    x,
    ...tapes.flatMap(({ median, low, high }) => (band ? [visible(median), visible(low), visible(high)] : [visible(median)])),
    ...curves.map((curve) => visible(x.map((round) => curve.at(round)))),
  ] as uPlot.AlignedData;
}

function options(scheme: Scheme, policies: number, scale: Props["scale"], curves: readonly Curve[], band: boolean, measure: string): PlotOptions {
  const colours = PALETTE[scheme];
  const distr = scale === "log" ? 3 : 1;
  const edge = { width: 0, points: { show: false } };
  const width = band ? 3 : 1;
  const style = ({ colour, dash }: SeriesStyle): uPlot.Series => ({
    stroke: colours[colour],
    width: 2,
    dash: [...dash],
    spanGaps: false,
    points: { show: false },
  });
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    padding: [8, 20, 0, 0],
    scales: { x: { time: false, distr }, y: { distr } },
    axes:
      scale === "log"
        ? [logAxis(scheme, "x", "round"), logAxis(scheme, "y", measure)]
        : [
            axis(scheme, { label: "round", size: 30, values: (_, splits) => splits.map(formatCount) }),
            axis(scheme, { label: measure, size: 64, values: (_, splits) => splits.map(formatNumber) }),
          ],
    series: [
      {},
      ...Array.from({ length: policies }, (_, policy) => style(seriesStyle(policy))).flatMap((line) => (band ? [line, edge, edge] : [line])),
      ...curves.map((curve) => ({ ...style(curve.style), width: 1.5 })),
    ],
    bands: band
      ? Array.from({ length: policies }, (_, policy) => ({
          series: [policy * width + 3, policy * width + 2] as [number, number],
          fill: `${colours[seriesStyle(policy).colour]}26`,
        }))
      : [],
  };
}
