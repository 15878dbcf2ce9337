import type { Sweep } from "../../analysis/sweep.js";
import { linearAxis, logAxis } from "../../chart/axis.js";
import type { Figure } from "../../chart/figure.js";
import { lineChart, type Overlay } from "../../chart/lineChart.js";
import { lineReadings } from "../../chart/readings.js";
import { signedAxis, signedAxisNote } from "./signedAxis.js";

const MOST_TICKS = 7;

/** Regret at the horizon against the varied value, with the slopes of the bounds as dashed lines. */
export function sweepFigure({ environment, axis, slug, groups, policies }: Sweep): Figure | null {
  const values = groups.map(({ sweep }) => sweep!.value);
  const numbers = values.filter((value) => typeof value === "number");
  const numeric = numbers.length === values.length;
  const logarithmic = numeric && numbers.every((value) => value > 0) && Math.max(...numbers) >= 3 * Math.min(...numbers);
  const place = (value: number | string): number => (numeric ? Number(value) : values.indexOf(value));
  const finals = policies.flatMap(({ points }) => points.map(({ member }) => member.row.checkpoints.at(-1)!));
  if (finals.length === 0) return null;
  const positive = finals.flatMap(({ mean, low }) => [mean, low]).filter((value) => value > 0);
  const highest = Math.max(...finals.flatMap(({ mean, high }) => [mean, high]));
  const logValues = finals.every(({ mean }) => mean > 0);
  const y = logValues
    ? logAxis("mean pseudo-regret at the horizon", Math.min(...positive) * 0.8, highest * 1.25)
    : signedAxis(
        "mean pseudo-regret at the horizon",
        Math.min(0, ...finals.map(({ low }) => low)),
        Math.max(0, highest),
        finals.map(({ mean }) => mean),
      );
  const places = values.map(place);
  const [least, most] = [Math.min(...places), Math.max(...places)];
  const pad = most > least ? 0 : 1;
  const base = logarithmic ? logAxis(axis, least, most) : linearAxis(axis, least - pad, most + pad);
  // The ticks are the values themselves if they fit.
  const fits = values.length <= MOST_TICKS && values.every((value) => String(value).length <= 7);
  const x = fits || !numeric ? { ...base, ticks: places, minor: [], format: (at: number) => String(values[places.indexOf(at)] ?? "") } : base;
  const lines = policies.map(({ index, label, points }) => {
    const at = points.map(({ value, member }) => ({ x: place(value), final: member.row.checkpoints.at(-1)! })).sort((a, b) => a.x - b.x);
    return {
      index,
      label,
      everyPoint: true,
      points: at.map(({ x: round, final }) => ({ x: round, y: final.mean })),
      bars: at.map(({ x: round, final }) => ({ x: round, low: Math.max(final.low, y.domain[0]), high: Math.min(final.high, y.domain[1]) })),
    };
  });
  const sloped = logarithmic && logValues;
  const overlays = sloped ? lines.flatMap((line, place) => slopeOverlay(line, policies[place]!.slope?.theory ?? null)) : [];
  const readings = lineReadings(x, y, lines, [], axis, "number");
  return {
    name: slug,
    title: `Regret against ${axis} in ${environment}`,
    caption: [
      "Mean pseudo-regret at the horizon for each value; bars are 95 % intervals.",
      ...(sloped
        ? ["Dashed lines: the slope of the proved bound, drawn through the middle of the policy's points; their height has no meaning."]
        : []),
      ...(logValues ? [] : [signedAxisNote(y, "The vertical axis")]),
    ].join(" "),
    svg: lineChart(x, y, lines, overlays),
    readings: { ...readings, series: readings.series.map((series) => ({ ...series, at: series.x.map((at) => String(values[places.indexOf(at)])) })) },
  };
}

/** A line with the theoretical slope through the centre of the points on log-log axes. */
function slopeOverlay(
  { index, label, points }: { index: number; label: string; points: readonly { x: number; y: number }[] },
  slope: number | null,
): Overlay[] {
  if (slope === null || points.length < 2) return [];
  const centre = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + Math.log(of(point)), 0) / points.length;
  const [x, y] = [centre((point) => point.x), centre((point) => point.y)];
  const line = points.map((point) => ({ x: point.x, y: Math.exp(y + slope * (Math.log(point.x) - x)) }));
  return [{ points: line, series: { index, label }, label: null }];
}
