import type { Group, Member } from "../../analysis/group.js";
import { linearAxis, logAxis } from "../../chart/axis.js";
import type { Figure } from "../../chart/figure.js";
import { lineChart, type Point } from "../../chart/lineChart.js";
import { seriesStyle } from "../../chart/palette.js";
import { percentileInterval } from "../../statistics/interval.js";
import { meanCurve } from "../../statistics/meanCurve.js";
import type { Resampler } from "../../statistics/resamples.js";
import { roundAxis } from "./shareFigures.js";

/** A column of the anatomy over the seeds: its mean along the rounds, and at the horizon with a 95 % bootstrap interval. */
export interface Term {
  readonly name: string;
  readonly points: readonly Point[];
  readonly final: { readonly estimate: number; readonly low: number; readonly high: number };
  /** The mean of what the proof puts above it; null where it has nothing. */
  readonly bound: { readonly points: readonly Point[]; readonly final: number } | null;
}

const TERMS = ["expectedRegret", "skippingGap", "ftrlErrorMean", "ftrlError", "A", "B"];
/** Those that the proof bounds one by one, and the regret that they make up. */
const DRAWN = ["expectedRegret", "skippingGap", "A", "B"];

/** The terms of a policy's regret; empty where they were not recorded. */
export function termsOf({ cell }: Member, resampler: Resampler): Term[] {
  const traces = [...cell.traces.values()];
  const rounds = traces[0]?.round ?? [];
  const curveOf = (name: string) => {
    const columns = traces.flatMap(({ anatomy }) => (anatomy !== null && name in anatomy ? [anatomy[name]!] : []));
    if (columns.length === 0 || columns.length < traces.length) return null;
    const curve = meanCurve(columns, resampler(columns.length));
    const points = rounds.map((round, index) => ({ x: round, y: curve.means[index]! }));
    return { points, final: { estimate: points.at(-1)!.y, ...percentileInterval(curve.resampled.at(-1)!) } };
  };
  return [...TERMS, "lambda"].flatMap((name) => {
    const curve = curveOf(name);
    const bound = curveOf(`bound.${name}`);
    return curve === null ? [] : [{ name, ...curve, bound: bound && { points: bound.points, final: bound.final.estimate } }];
  });
}

/** The regret of one policy taken apart, with the proof's bounds as dashes. */
export function anatomyFigure(group: Group, member: Member, terms: readonly Term[]): Figure | null {
  const drawn = DRAWN.flatMap((name) => terms.filter((term) => term.name === name));
  const values = drawn.flatMap(({ points, bound }) => [...points, ...(bound?.points ?? [])]).flatMap(({ y }) => (y > 0 ? [y] : []));
  if (values.length < 2) return null;
  const highest = Math.max(...values);
  const starts = drawn.flatMap(({ points }) => points.map(({ y }) => y)).filter((y) => y > highest * 1e-6);
  const styleOf = (index: number) => ({ ...seriesStyle(index), className: "term" });
  const y = logAxis("sum over rounds", Math.min(...starts), highest * 1.2);
  const lines = drawn.map(({ name, points }, index) => ({ index, label: name, points }));
  const overlays = drawn.flatMap(({ bound, name }, index) =>
    bound === null ? [] : [{ points: bound.points, series: { index, label: name }, label: null }],
  );
  return {
    name: `${group.slug}--anatomy--${member.slug}`,
    title: `Anatomy of ${member.label}'s regret in ${group.title}`,
    caption:
      "Means over seeds. Solid: the expected regret, the part of it that is due to skipping (skippingGap), and the two terms that hold the rest (A: the price of changing the regularisation, B: that of the noise). Dashed, in the same colours: the proof's bound on each.",
    svg: lineChart(roundAxis([member]), y, lines, overlays, styleOf),
  };
}

/** The doubling policies' lambda. */
export function lambdaFigure(group: Group, all: ReadonlyMap<Member, readonly Term[]>): Figure | null {
  const lines = [...all].flatMap(([{ index, label }, terms]) =>
    terms.filter(({ name }) => name === "lambda").map(({ points }) => ({ index, label, points })),
  );
  if (lines.length === 0) return null;
  const values = lines.flatMap(({ points }) => points.map(({ y }) => y));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = high > low && low > 0 ? logAxis("lambda", low, high * 1.1) : linearAxis("lambda", 0, Math.max(1, high) * 1.1);
  const svg = lineChart(roundAxis([...all.keys()]), y, lines);
  return { name: `${group.slug}--lambda`, title: "Lambda of the doubling policies", caption: "Means over seeds; it doubles with each epoch.", svg };
}
