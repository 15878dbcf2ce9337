import { formatPercent } from "tsallis/statistics";
import { distance, NEGLIGIBLE, type Profile } from "../../analysis/profile.js";
import { linearAxis, logAxis } from "../../chart/axis.js";
import type { Figure } from "../../chart/figure.js";
import { lineChart, type Point } from "../../chart/lineChart.js";
import { lineReadings } from "../../chart/readings.js";

/** The ends of the axis: a policy beyond FARTHEST is far enough from the best, and one below NEAREST was lucky. */
const FARTHEST = 100;
const NEAREST = 0.1;

/** The number of lines that remain distinguishable; the others stay in the background. */
const LOUD = 8;

/**
 * The share of the environments in which a policy's regret is at most x times that of the best (Dolan and More 2002), as steps. `policies`: all
 * policies in the document's order.
 */
export function profileFigure(profile: Profile, policies: readonly string[]): Figure {
  const ratios = profile.flatMap(({ cells }) => [...cells.values()].flatMap(({ ratio }) => ratio ?? []));
  const start = Math.max(NEAREST, Math.min(1, ...ratios));
  const end = Math.min(FARTHEST, Math.max(2, ...ratios));
  const x = {
    ...logAxis("times the regret of the best policy", start, end),
    ticks: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].filter((tick) => tick >= start && tick <= end),
    format: String,
  };
  const y = linearAxis("share of environments", 0, 1, formatPercent);
  const lines = profile.map((entry, place) => ({
    index: policies.indexOf(entry.policy),
    label: entry.policy,
    points: steps([...entry.cells.values()].map(distance), start, end),
    quiet: place >= LOUD,
  }));
  return {
    name: "profile",
    title: "How close each policy comes to the best",
    caption: [
      "For each policy, the share of the environments in which its regret is at most x times that of the best policy, which is picked on the other half of the seeds. Higher is better.",
      `An environment in which it has at most ${NEGLIGIBLE} of uniform play's regret counts from the left edge on.`,
      ...(lines.length > LOUD ? [`The ${LOUD} policies with the smallest mean shares stand out.`] : []),
      ...(start > Math.min(...ratios) ? [`Ratios below ${NEAREST} are drawn at ${NEAREST}.`] : []),
      ...(end < Math.max(...ratios) ? [`Ratios beyond ${FARTHEST} are not drawn.`] : []),
    ].join(" "),
    svg: lineChart(x, y, lines),
    readings: lineReadings(x, y, lines, [], "ratio", "percent"),
  };
}

/** The corners of a staircase that rises at each distance from the best. */
function steps(distances: readonly number[], start: number, end: number): Point[] {
  const near = distances
    .filter((distance) => distance <= end)
    .map((distance) => Math.max(start, distance))
    .sort((a, b) => a - b);
  const corners = near.flatMap((x, index) => [
    { x, y: index / distances.length },
    { x, y: (index + 1) / distances.length },
  ]);
  return [{ x: start, y: 0 }, ...corners, { x: end, y: near.length / distances.length }];
}
