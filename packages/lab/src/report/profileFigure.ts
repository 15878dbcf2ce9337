import type { Profile } from "../results/profile.js";
import { linearAxis, logAxis } from "./axis.js";
import type { Figure } from "./figure.js";
import { formatPercent } from "./formatNumber.js";
import { lineChart, type Point } from "./lineChart.js";

/** The axis ends here; who is farther from the best is far enough. */
const FARTHEST = 100;

/** So many lines can be told apart; the others stay in the background. */
const LOUD = 8;

/** In how many of the environments a policy's regret is at most x times the least (Dolan and More 2002), as steps. `policies`: all, in the document's order. */
export function profileFigure(profile: Profile, policies: readonly string[]): Figure {
  const ratios = profile.flatMap((entry) => [...entry.ratios.values()]);
  const end = Math.min(FARTHEST, Math.max(2, ...ratios));
  const x = {
    ...logAxis("times the least regret of the environment", 1, end),
    ticks: [1, 2, 5, 10, 20, 50, 100].filter((tick) => tick <= end),
    format: String,
  };
  const y = linearAxis("share of environments", 0, 1, formatPercent);
  const lines = profile.map((entry, place) => ({
    index: policies.indexOf(entry.policy),
    label: entry.policy,
    points: steps([...entry.ratios.values()], end),
    quiet: place >= LOUD,
  }));
  return {
    name: "profile",
    title: "In how many environments a policy comes how close to the best",
    caption: [
      "For each policy, the share of the environments in which its regret is at most so many times the least. Higher is better: a line begins at the share in which the policy itself is the best, and reaches 100 % at its worst ratio.",
      ...(lines.length > LOUD ? [`The ${LOUD} with the smallest median ratios stand out.`] : []),
      ...(end < Math.max(...ratios) ? [`Ratios beyond ${FARTHEST} are not drawn.`] : []),
    ].join(" "),
    svg: lineChart(x, y, lines),
  };
}

/** The corners of a staircase that rises at each ratio. */
function steps(ratios: readonly number[], end: number): Point[] {
  const near = ratios.filter((ratio) => ratio <= end).sort((a, b) => a - b);
  const corners = near.flatMap((ratio, index) => [
    { x: ratio, y: index / ratios.length },
    { x: ratio, y: (index + 1) / ratios.length },
  ]);
  return [{ x: 1, y: 0 }, ...corners, { x: end, y: near.length / ratios.length }];
}
