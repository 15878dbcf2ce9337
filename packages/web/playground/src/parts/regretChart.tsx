import { useMemo, useRef, useState } from "preact/hooks";
import { formatCount, formatNumber } from "tsallis/statistics";
import type uPlot from "uplot";
import { axis, tickText } from "../../../common/axis.js";
import { Legend } from "../../../common/legend.js";
import { logAxis } from "../../../common/logAxis.js";
import { PALETTE, type Scheme } from "../../../common/palette.js";
import { Plot, type PlotOptions } from "../../../common/plot.js";
import { type SeriesStyle, seriesStyle, thinOpacity } from "../../../common/seriesStyle.js";
import type { RaceView } from "../engine/engine.js";
import { drawEndLabels, END_LABELS, END_NAMES, exitOf } from "./endLabels.js";
import { drawMarks, type RoundMark } from "./roundMarks.js";

/** A curve that is not played but computed, such as a bound. */
export interface Curve {
  readonly name: string;
  readonly style: SeriesStyle;
  at(round: number): number;
}

/** One run: a policy, and a seed from 0. */
export interface Lit {
  readonly policy: number;
  readonly seed: number;
}

export interface RegretChartProps {
  readonly view: RaceView;
  /** What stands at the end of each policy's line. */
  readonly endLabels: readonly string[];
  /** Whether these are short names, for which a narrow chart has room too. */
  readonly namesOnly?: boolean;
  /** Both axes. Where regret is negative, a logarithmic one shows nothing. */
  readonly scale: "linear" | "log";
  readonly curves?: readonly Curve[];
  /** The same race with one loss changed, drawn with thin dashes. */
  readonly other?: RaceView | null;
  readonly marks?: readonly RoundMark[];
  /** Whether the worst run of each policy is drawn bold, and not its median. */
  readonly worst?: boolean;
  readonly lit?: Lit | null;
  /** In pixels. */
  readonly height?: number;
  /** The top of the vertical axis at most: runs above it leave the chart. */
  readonly most?: number;
  /** What the vertical axis shows. */
  readonly measure: string;
}

export const CHART_HEIGHT = 300;
/** What a linear chart shows at first: a race that has just begun is not drawn over the whole width. */
const FIRST_ROUNDS = 300;
/** A chart that is narrower has no words at the ends of its lines, or no names. */
const WIDE = 620;
const WIDE_FOR_NAMES = 320;
/** The room to the right of the last round if nothing is there. */
const MARGIN = 20;
/** From the left edge of a chart to its first round, in pixels. */
export const LEFT = 84;

/** The last round of the horizontal axis. */
export function lastShown({ race, round }: RaceView): number {
  return Math.max(Math.min(race.rounds, FIRST_ROUNDS), round);
}

/** The room to the right of the last round. */
export function rightOf(width: number, namesOnly = false): number {
  if (namesOnly) return width >= WIDE_FOR_NAMES ? END_NAMES : MARGIN;
  return width >= WIDE ? END_LABELS : MARGIN;
}

/** Regret over the rounds: every run as a thin line, and the median of each policy as a thick one. */
export function RegretChart({
  view,
  endLabels,
  namesOnly = false,
  scale,
  curves = [],
  other = null,
  marks = [],
  worst = false,
  lit = null,
  height = CHART_HEIGHT,
  most = Number.POSITIVE_INFINITY,
  measure,
}: RegretChartProps) {
  const [point, setPoint] = useState<number | null>(null);
  const { race } = view;
  const labels = race.policies.map(({ label }) => label);
  const shown = Math.max(2, view.checkpoints.filter((round) => round <= view.round).length);
  const data = useMemo(
    () => aligned(view, shown, scale, curves, other, worst),
    [race, view.version, shown, scale, curves, other?.version, other?.race, worst],
  );
  const shape = [scale, worst, other !== null, marks.length > 0, measure, race.rounds, race.seeds, ...labels, ...curves.map(({ name }) => name)].join(
    "\n",
  );
  const at = Math.min(point ?? shown - 1, shown - 1);
  const bold = (policy: number, i: number) => (worst ? worstAt(view, policy, i) : view.tapes[policy]?.median[i]);
  const valueAt = (i: number, policy: number) => text(lit === null ? bold(policy, i) : view.tapes[policy]!.runs[lit.seed]![i]);
  // Of several runs the dots say more.
  const statusAt = (i: number, policy: number) =>
    race.seeds === 1 && i === shown - 1 ? endLabels[policy]!.slice(labels[policy]!.length + ": ".length) : "";
  const entries = [
    ...labels.map((name, policy) => ({ name, style: seriesStyle(policy), value: valueAt(at, policy), more: statusAt(at, policy) })),
    ...curves.map(({ name, style, at: curve }) => ({ name, style, value: text(curve(view.checkpoints[at]!)) })),
  ];
  const wordsAt = (i: number, policy: number) => [`${labels[policy]} ${valueAt(i, policy)}`, statusAt(i, policy)].filter(Boolean).join(", ");
  const describe = (i: number) => `round ${formatCount(view.checkpoints[i]!)}: ${labels.map((_, policy) => wordsAt(i, policy)).join("; ")}`;
  // The plot is made once, and draws what these are when it draws.
  const now = useRef({ view, endLabels, marks, lit, most });
  now.current = { view, endLabels, marks, lit, most };
  const which = race.seeds === 1 ? "" : worst ? ", worst run" : ", median";
  return (
    <>
      <Plot
        label={`${measure} of ${labels.join(", ")}`}
        shape={shape}
        data={data}
        height={height}
        at={at}
        onPoint={setPoint}
        describe={describe}
        redrawOn={`${JSON.stringify(lit)}${endLabels.join()}${JSON.stringify(marks)}`}
        options={(scheme) => options(scheme, now.current.view, namesOnly, scale, curves, other !== null, measure, () => now.current)}
      />
      <Legend at={`Round ${formatCount(view.checkpoints[at]!)}${lit === null ? which : `, seed ${lit.seed + 1}`}:`} entries={entries} lines />
    </>
  );
}

function text(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : formatNumber(value);
}

function worstAt({ tapes }: RaceView, policy: number, i: number): number | null {
  const values = tapes[policy]!.runs.map((run) => run[i]).filter((value) => value !== null && value !== undefined);
  return values.length === 0 ? null : Math.max(...values);
}

/** The place of the run that is worst now. */
function worstRun(view: RaceView, policy: number, last: number): number {
  const { runs } = view.tapes[policy]!;
  return runs.findIndex((run) => run[last] === worstAt(view, policy, last));
}

/** Runs, then what is thick, then the other race, then curves. */
function aligned(
  view: RaceView,
  shown: number,
  scale: RegretChartProps["scale"],
  curves: readonly Curve[],
  other: RaceView | null,
  worst: boolean,
): uPlot.AlignedData {
  const visible = (values: readonly (number | null | undefined)[]) =>
    values.slice(0, shown).map((value) => (value === null || value === undefined || (scale === "log" && !(value > 0)) ? null : value));
  const x = view.checkpoints.slice(0, shown);
  const thick = view.tapes.map(({ runs, median }, policy) => (worst ? (runs[worstRun(view, policy, shown - 1)] ?? median) : median));
  return [
    x,
    ...view.tapes.flatMap(({ runs }) => (view.race.seeds > 1 ? runs.map(visible) : [])),
    ...thick.map(visible),
    ...(other?.tapes.map(({ median }) => visible(median)) ?? []),
    ...curves.map((curve) => visible(x.map((round) => curve.at(round)))),
  ] as uPlot.AlignedData;
}

interface Now {
  readonly view: RaceView;
  readonly endLabels: readonly string[];
  readonly marks: readonly RoundMark[];
  readonly lit: Lit | null;
  readonly most: number;
}

function options(
  scheme: Scheme,
  { race: { policies, seeds } }: RaceView,
  namesOnly: boolean,
  scale: RegretChartProps["scale"],
  curves: readonly Curve[],
  hasOther: boolean,
  measure: string,
  now: () => Now,
): PlotOptions {
  const colours = PALETTE[scheme];
  const isLog = scale === "log";
  const colourOf = (policy: number) => colours[seriesStyle(policy).colour];
  const runs = seeds > 1 ? seeds : 0;
  const line = { spanGaps: false, pxAlign: 0, points: { show: false } };
  const run = (policy: number, seed: number): uPlot.Series => ({
    ...line,
    width: 1,
    // A run that is lit stands out, and all others step back.
    stroke: () => {
      const { lit } = now();
      const isLit = lit?.policy === policy && lit.seed === seed;
      return colourOf(policy) + (lit === null ? thinOpacity(scheme) : isLit ? "ff" : "1f");
    },
  });
  const first = policies.length * runs;
  const thick = (policy: number): uPlot.Series => ({
    ...line,
    width: seeds > 1 ? 3 : 2,
    dash: [...seriesStyle(policy).dash],
    stroke: () => colourOf(policy) + (now().lit === null ? "ff" : "40"),
  });
  const height = (low: number, high: number): [number, number] => [Math.min(0, low), Math.min(now().most, Math.max(1, high) * 1.04)];
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    padding: [now().marks.length > 0 ? 22 : 10, (plot: uPlot) => rightOf(plot.width, namesOnly), 0, 0],
    scales: isLog
      ? { x: { time: false, distr: 3 }, y: { distr: 3 } }
      : { x: { time: false, range: () => [0, lastShown(now().view)] }, y: { range: (_, low, high) => height(low, high) } },
    axes: isLog
      ? [logAxis(scheme, "x", "round"), { ...logAxis(scheme, "y", measure), size: LEFT - 20 }]
      : [
          axis(scheme, { label: "round", size: 30, incrs: WHOLE, values: (_, splits) => splits.map(formatCount) }),
          axis(scheme, { label: measure, size: LEFT - 20, values: (_, splits) => splits.map(tickText) }),
        ],
    series: [
      {},
      ...policies.flatMap((_, policy) => Array.from({ length: runs }, (_, seed) => run(policy, seed))),
      ...policies.map((_, policy) => thick(policy)),
      ...(hasOther ? policies.map((_, policy) => ({ ...line, width: 1.5, dash: [2, 3], stroke: colourOf(policy) })) : []),
      ...curves.map(({ style }) => ({ ...line, stroke: colours[style.colour], width: 1.5, dash: [...style.dash] })),
    ],
    hooks: {
      drawClear: [(plot) => drawMarks(plot, now().marks, colours)],
      draw: [
        (plot) => {
          const { lit, endLabels } = now();
          if (lit !== null) drawLit(plot, 1 + lit.policy * runs + lit.seed, seriesStyle(lit.policy).dash, colourOf(lit.policy));
          const labels = endLabels.map((words, policy) => ({ words, colour: colourOf(policy) }));
          const room = rightOf(plot.width, namesOnly);
          if (room > MARGIN) drawEndLabels(plot, first + 1, labels, room);
          drawLeaving(
            plot,
            policies.map(({ label }, policy) => ({ name: label, colour: colourOf(policy) })),
            runs,
          );
        },
      ],
    },
  };
}

/** Rounds are whole. */
export const WHOLE = [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5].map((power) => digit * 10 ** power)).sort((a, b) => a - b);

/** How many runs of each policy leave the plot at its top, where the first of them does. */
function drawLeaving(plot: uPlot, policies: readonly { readonly name: string; readonly colour: string }[], runs: number): void {
  const { ctx } = plot;
  const { left, width, top } = plot.bbox;
  const ratio = devicePixelRatio;
  const most = plot.scales.y!.max!;
  ctx.save();
  ctx.font = `${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  let y = top + 4 * ratio;
  for (const [policy, { name, colour }] of policies.entries()) {
    const exits = plot.data
      .slice(1 + policy * runs, 1 + (policy + 1) * runs)
      .filter((values) => (values.at(-1) ?? 0) > most)
      .map((values) => exitOf(values, most));
    if (exits.length === 0) continue;
    const words = `▲ ${name}: ${exits.length} of ${runs}`;
    const x = plot.valToPos(plot.data[0][Math.min(...exits)]!, "x", true);
    ctx.fillStyle = colour;
    ctx.fillText(words, Math.min(x + 6 * ratio, left + width - ctx.measureText(words).width), y);
    y += 15 * ratio;
  }
  ctx.restore();
}

/** A run once more, thick and above all others. */
function drawLit(plot: uPlot, series: number, dash: readonly number[], colour: string): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const [x, y] = [plot.data[0], plot.data[series] ?? []];
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 3 * ratio;
  ctx.setLineDash(dash.map((length) => length * ratio));
  ctx.lineJoin = "round";
  ctx.beginPath();
  for (const [i, value] of y.entries()) {
    if (value !== null && value !== undefined) ctx.lineTo(plot.valToPos(x[i]!, "x", true), plot.valToPos(value, "y", true));
  }
  ctx.stroke();
  ctx.restore();
}
