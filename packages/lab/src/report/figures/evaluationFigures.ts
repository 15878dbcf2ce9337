import { formatPercent, type Interval } from "tsallis/statistics";
import { linearAxis, logAxis } from "../../chart/axis.js";
import type { Figure } from "../../chart/figure.js";
import { type IntervalRow, intervalChart, intervalReadings } from "../../chart/intervalChart.js";
import { type Line, lineChart } from "../../chart/lineChart.js";
import { lineReadings } from "../../chart/readings.js";
import type { EvaluatedLog } from "../../evaluation/sentences.js";

/** With more arms than this, only the first are drawn. */
export const MOST_DRAWN = 8;

/** The arms that are drawn, best first, with their places in the history. */
function drawn({ arms, history }: EvaluatedLog) {
  return arms.slice(0, MOST_DRAWN).map((arm, index) => ({ ...arm, index, label: arm.name, place: history.arms.indexOf(arm.name) }));
}

function less({ arms }: EvaluatedLog): string {
  return arms.length > MOST_DRAWN ? ` Only the first ${MOST_DRAWN} of ${arms.length} arms are drawn.` : "";
}

/** The interval of every arm, decision by decision; null if there is no history. */
export function sequencesFigure(log: EvaluatedLog, name: string): Figure | null {
  const { moments } = log.history;
  if (moments.length < 2) return null;
  const sign = log.unit === "reward" ? -1 : 1;
  const of = ({ low, high }: Interval): Interval => (sign === 1 ? { low, high } : { low: 0 - high, high: 0 - low });
  const lines = drawn(log).map(({ index, label, place }): Line => {
    const seen = moments.filter(({ arms }) => !Number.isNaN(arms[place]!.mean));
    const points = seen.map(({ round, arms }) => ({ x: round, ...of(arms[place]!) }));
    return {
      index,
      label,
      points: seen.map(({ round, arms }) => ({ x: round, y: sign * arms[place]!.mean })),
      bands: [{ kind: "runs", points }],
    };
  });
  // The first intervals reach from the floor to the cap: the axis shows what is known in the end, and some of the way there.
  const ends = lines.flatMap(({ points, bands }) => [
    ...points.slice(-Math.ceil(points.length / 2)).map(({ y }) => y),
    ...bands![0]!.points.slice(-Math.ceil(points.length / 2)).flatMap(({ low, high }) => [low, high]),
  ]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const x = logAxis("decision", moments[0]!.round, moments.at(-1)!.round);
  const y = linearAxis(log.unit === "loss" ? "mean loss" : "mean reward", low, high);
  const read = lines.map((line) => ({ ...line, bands: line.bands!.map((band) => ({ ...band, kind: "interval" })) }));
  return {
    name: `${name}--sequences`,
    title: "What each arm is known to be, decision by decision",
    caption: `The mean of each arm with its ${formatPercent(1 - log.error)} interval, which holds at all times at once: each arm stays in its own at every decision, with that probability.${less(log)}`,
    svg: lineChart(x, y, lines),
    readings: lineReadings(x, y, read, [], "decision", "number"),
  };
}

/** Where the arms are at the end, and who is out of the race. */
export function raceFigure(log: EvaluatedLog, name: string): Figure {
  const rows = drawn(log).map(
    ({ index, label, mean, low, high, status }): IntervalRow => ({
      index,
      label,
      estimate: mean ?? (low + high) / 2,
      low,
      high,
      theory: [],
      note: status,
    }),
  );
  const x = linearAxis(
    log.unit === "loss" ? "mean loss" : "mean reward",
    Math.min(...rows.map(({ low }) => low)),
    Math.max(...rows.map(({ high }) => high)),
  );
  return {
    name: `${name}--race`,
    title: "The race of the arms",
    caption: `Each arm's mean and interval at the end. An arm is out when the evidence says that another is better; intervals may still overlap then.${less(log)}`,
    svg: intervalChart(x, rows, null),
    readings: intervalReadings(x, rows, "number", ({ note }) => note),
  };
}

/** The evidence against each arm, and the line that ends its race; null if there is no history or only one arm. */
export function evidenceFigure(log: EvaluatedLog, name: string): Figure | null {
  const { moments } = log.history;
  const { leader, needed } = log.verdict;
  const rivals = drawn(log).filter((arm) => arm.name !== leader);
  if (moments.length < 2 || rivals.length === 0) return null;
  const lines = rivals.map(
    ({ index, label, place }): Line => ({ index, label, points: moments.map(({ round, evidence }) => ({ x: round, y: evidence[place]! })) }),
  );
  const top = Math.max(needed, ...lines.flatMap(({ points }) => points.map(({ y }) => y)));
  const x = logAxis("decision", moments[0]!.round, moments.at(-1)!.round);
  // Far beyond the line nothing more is to be seen.
  const y = linearAxis("evidence", Math.min(0, ...lines.flatMap(({ points }) => points.map(({ y }) => y))), Math.min(top, 3 * needed) * 1.05);
  const overlays = [{ points: moments.map(({ round }) => ({ x: round, y: needed })), series: null, label: "out of the race" }];
  return {
    name: `${name}--evidence`,
    title: "May I stop? The evidence, and the line that ends the race",
    caption: `The evidence that the leader of that time is better than each other arm. From ${needed.toFixed(1)} on, an arm is out. The best arm is ever out with a probability of at most ${formatPercent(log.error)}, however often one looks.${less(log)}`,
    svg: lineChart(x, y, lines, overlays),
    readings: lineReadings(x, y, lines, overlays, "decision", "number"),
  };
}
