import { formatPercent } from "tsallis/statistics";
import type { Group } from "../../analysis/group.js";
import type { Member } from "../../analysis/member.js";
import { linearAxis, logAxis } from "../../chart/axis.js";
import type { Figure } from "../../chart/figure.js";
import { lineChart } from "../../chart/lineChart.js";
import { lineReadings } from "../../chart/readings.js";

const percentTick = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;

/** The share of the rounds so far on the best arm in hindsight. */
export function bestArmFigure(group: Group): Figure | null {
  const members = group.members.filter(({ row }) => row.checkpoints.length > 1);
  if (members.length === 0 || group.world?.arms === 1) return null;
  const lines = members.map(({ index, label, row }) => ({
    index,
    label,
    points: row.checkpoints.map(({ round, bestArmShare }) => ({ x: round, y: bestArmShare })),
  }));
  const [x, y] = [roundAxis(members), linearAxis("share of rounds so far", 0, 1, percentTick)];
  return {
    name: `${group.slug}--best-arm`,
    title: "Share of rounds on the best arm",
    caption: "Rounds so far on the best arm in hindsight, as a share of all rounds so far; means over seeds.",
    svg: lineChart(x, y, lines),
    readings: lineReadings(x, y, lines, [], "round", "percent"),
  };
}

/** The share of the rounds so far that were skipped; null if there were none. */
export function skipFigure(group: Group): Figure | null {
  const members = group.members.filter(({ row }) => row.checkpoints.length > 1 && row.checkpoints.some(({ skipRate }) => skipRate > 0));
  if (members.length === 0) return null;
  const highest = Math.max(...members.flatMap(({ row }) => row.checkpoints.map(({ skipRate }) => skipRate)));
  const lines = members.map(({ index, label, row }) => ({
    index,
    label,
    points: row.checkpoints.map(({ round, skipRate }) => ({ x: round, y: skipRate })),
  }));
  const finals = members.map(({ label, row }) => `${label} ${formatPercent(row.checkpoints.at(-1)!.skipRate)}`).join(", ");
  const [x, y] = [roundAxis(members), linearAxis("share of rounds so far", 0, highest * 1.05, percentTick)];
  return {
    name: `${group.slug}--skips`,
    title: "Skipped losses",
    caption: `Rounds so far whose loss was beyond the policy's threshold, as a share of all rounds so far; means over seeds. At the horizon: ${finals}. Policies that skip nothing are left out.`,
    svg: lineChart(x, y, lines),
    readings: lineReadings(x, y, lines, [], "round", "percent"),
  };
}

export function roundAxis(members: readonly Member[]): ReturnType<typeof logAxis> {
  const rounds = members.flatMap(({ row }) => row.checkpoints.map(({ round }) => round));
  return logAxis("rounds", Math.min(...rounds), Math.max(...rounds));
}
