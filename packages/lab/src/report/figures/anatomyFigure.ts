import type { Group } from "../../analysis/group.js";
import type { Member } from "../../analysis/member.js";
import type { Term } from "../../analysis/termsOf.js";
import { linearAxis, logAxis } from "../../chart/axis.js";
import type { Figure } from "../../chart/figure.js";
import { lineChart, type Point } from "../../chart/lineChart.js";
import { seriesStyle } from "../../chart/palette.js";
import { lineReadings, type Readings } from "../../chart/readings.js";
import { roundAxis } from "./shareFigures.js";
import { signedAxis, signedAxisNote } from "./signedAxis.js";

/** The terms that the proof bounds one by one, and the regret that they make up. */
const DRAWN = ["expectedRegret", "skippingGap", "A", "B"];

/** The terms of one policy's regret, with the proof's bounds as dashed lines. */
export function anatomyFigure(group: Group, member: Member): Figure | null {
  const drawn = DRAWN.flatMap((name) => member.terms.filter((term) => term.name === name));
  const values = drawn.flatMap(({ means, bound }) => [...means, ...(bound ?? [])]).filter((value) => value > 0);
  if (values.length < 2) return null;
  const highest = Math.max(...values);
  const starts = drawn.flatMap(({ means }) => means).filter((value) => value > highest * 1e-6);
  const styleOf = (index: number) => ({ ...seriesStyle(index), className: "term" });
  const means = drawn.flatMap((term) => term.means);
  const lowest = Math.min(...means);
  const x = roundAxis([member]);
  const y = lowest < 0 ? signedAxis("sum over rounds", lowest, highest, means) : logAxis("sum over rounds", Math.min(...starts), highest * 1.2);
  const lines = drawn.map((term, index) => ({ index, label: term.name, points: pointsOf(term, term.means) }));
  const overlays = drawn.flatMap((term, index) =>
    term.bound === null ? [] : [{ points: pointsOf(term, term.bound), series: { index, label: term.name }, label: null }],
  );
  return {
    name: `${group.slug}--anatomy--${member.slug}`,
    title: `Anatomy of ${member.label}'s regret in ${group.title}`,
    caption: [
      "Means over seeds. Solid lines: the expected regret, its part due to skipping (skippingGap), and the two terms that bound the rest (A: the price of changing the regularisation; B: the price of the noise). Dashed lines of the same colours: the proof's bound on each.",
      ...(lowest < 0 ? [signedAxisNote(y, "The vertical axis")] : []),
    ].join(" "),
    svg: lineChart(x, y, lines, overlays, styleOf),
    // The terms are no policies, so that no switch hides them.
    readings: alwaysShown(lineReadings(x, y, lines, overlays, "round", "number")),
  };
}

/** The doubling policies' lambda. */
export function lambdaFigure(group: Group): Figure | null {
  const lines = group.members.flatMap(({ index, label, terms }) =>
    terms.filter(({ name }) => name === "lambda").map((term) => ({ index, label, points: pointsOf(term, term.means) })),
  );
  if (lines.length === 0) return null;
  const values = lines.flatMap(({ points }) => points.map(({ y }) => y));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = high > low && low > 0 ? logAxis("lambda", low, high * 1.1) : linearAxis("lambda", 0, Math.max(1, high) * 1.1);
  const x = roundAxis(group.members.filter(({ terms }) => terms.length > 0));
  return {
    name: `${group.slug}--lambda`,
    title: "Lambda of the doubling policies",
    caption: "Means over seeds. Lambda doubles with each epoch.",
    svg: lineChart(x, y, lines),
    readings: lineReadings(x, y, lines, [], "round", "number"),
  };
}

function alwaysShown(readings: Readings): Readings {
  return { ...readings, series: readings.series.map((series) => ({ ...series, index: null })) };
}

function pointsOf({ rounds }: Term, values: readonly number[]): Point[] {
  return rounds.map((round, i) => ({ x: round, y: values[i]! }));
}
