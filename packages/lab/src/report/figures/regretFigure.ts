import { formatPercent } from "tsallis/statistics";
import type { Member } from "../../analysis/member.js";
import type { SummaryPoint } from "../../analysis/summary.js";
import { type Axis, linearAxis, logAxis } from "../../chart/axis.js";
import type { Figure, Series } from "../../chart/figure.js";
import { type Line, lineChart, type Overlay, type Point } from "../../chart/lineChart.js";
import { lineReadings } from "../../chart/readings.js";
import { formatShort } from "../../format/formatShort.js";
import { signedAxis, signedAxisNote } from "./signedAxis.js";

/** A bound to draw over the data. */
export interface BoundCurve extends Series {
  readonly points: readonly Point[];
}

export interface RegretFigureInput {
  readonly name: string;
  readonly where: string;
  readonly rows: readonly RegretCurve[];
  readonly bounds: readonly BoundCurve[];
}

export type RegretCurve = Pick<Member, "index" | "label" | "row" | "seedCurves">;

/** A bound that ends further above the data than this would squash them, so the caption gives it as a number. */
const FARTHEST = { linear: 1.5, log: 4 };

/** Logarithmic axes begin at the horizon divided by this. Earlier, every policy explores, and all curves coincide. */
const EARLIEST = 2000;

/** Mean pseudo-regret against rounds, on linear or on logarithmic axes. */
export function regretFigure({ name, where, rows, bounds }: RegretFigureInput, scale: "linear" | "log"): Figure | null {
  const last = Math.max(...rows.flatMap(({ row }) => row.checkpoints.map(({ round }) => round)));
  const start = scale === "log" ? last / EARLIEST : 0;
  const points = rows.flatMap(({ row }) => row.checkpoints.filter(({ round }) => round >= start));
  const signed = points.some(({ mean }) => mean < 0);
  const values = points.flatMap(({ mean, high, q90 }) => [mean, high, q90]).filter((value) => scale === "linear" || signed || value > 0);
  if (values.length === 0) return null;
  const highest = Math.max(...values);
  const near = bounds.filter((bound) => bound.points.at(-1)!.y <= FARTHEST[scale] * highest);
  const top = Math.max(highest, ...near.map((bound) => bound.points.at(-1)!.y));
  const x = scale === "log" ? logAxis("rounds", Math.min(...points.map(({ round }) => round)), last) : linearAxis("rounds", 0, last);
  const y = valueAxis(scale, points, top, signed);
  const [lines, overlays] = [rows.map(line), near.map(overlay)];
  const far = bounds.filter((bound) => !near.includes(bound));
  const axes = scale === "log" ? "logarithmic axes" : "linear axes";
  const notes = [
    ...(scale === "log" && signed ? [signedAxisNote(y, "The vertical axis")] : []),
    ...(y.type === "log" && points.some(({ q10 }) => q10 <= 0) ? ["Bands that reach zero end at the lower edge."] : []),
    ...farNotes(far, highest),
  ];
  return {
    name: `${name}-${scale}`,
    title: `Regret in ${where}, ${axes}`,
    caption: [READING, ...notes].join(" "),
    svg: lineChart(x, y, lines, overlays),
    readings: lineReadings(x, y, lines, overlays, "round", "number"),
  };
}

const READING = "Lines are means over seeds; bands contain 80 % of the runs (10 % to 90 % quantiles).";

function valueAxis(scale: "linear" | "log", points: readonly SummaryPoint[], top: number, signed: boolean): Axis {
  const label = "mean pseudo-regret";
  const means = points.flatMap(({ mean, q10 }) => [mean, q10]);
  if (scale === "linear") return linearAxis(label, Math.min(0, ...means), top > 0 ? top * 1.04 : 0);
  if (signed)
    return signedAxis(
      label,
      Math.min(...means),
      Math.max(0, top),
      points.map(({ mean }) => mean),
    );
  const positive = means.filter((value) => value > 0);
  return logAxis(label, Math.max(Math.min(...positive), top * 1e-5), top * 1.2);
}

function line({ index, label, row, seedCurves }: RegretCurve): Line {
  return {
    index,
    label,
    points: row.checkpoints.map(({ round, mean }) => ({ x: round, y: mean })),
    bands: [
      { kind: "runs", points: row.checkpoints.map(({ round, q10, q90 }) => ({ x: round, low: q10, high: q90 })) },
      { kind: "interval", points: row.checkpoints.map(({ round, low, high }) => ({ x: round, low, high })) },
    ],
    behind: seedCurves.map(({ values }) => values),
    ...(row.stuck !== null && { note: `${formatPercent(row.stuck)} of its runs are stuck` }),
  };
}

function overlay({ index, label, points }: BoundCurve): Overlay {
  return { points, series: { index, label }, label: `bound of ${label}` };
}

function farNotes(far: readonly BoundCurve[], highest: number): string[] {
  if (far.length === 0) return [];
  const ends = far.map(({ points }) => points.at(-1)!.y);
  const list = far.map(({ label }, index) => `${label} ${formatShort(ends[index]!)}`).join(", ");
  const times = highest > 0 ? `at least ${formatShort(Math.min(...ends) / highest)} times the largest value shown` : "far above the data";
  return [`These proved bounds at the horizon are not drawn, because they are ${times}: ${list}.`];
}
