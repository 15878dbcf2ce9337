import type { Group } from "../../analysis/group.js";
import type { Member } from "../../analysis/member.js";
import type { Figure } from "../../chart/figure.js";
import type { Point } from "../../chart/lineChart.js";
import { armsFigure } from "./armsFigure.js";
import { decadesFigure } from "./decadesFigure.js";
import { differencesFigure } from "./differencesFigure.js";
import { exponentFigure } from "./exponentFigure.js";
import { regretFigure } from "./regretFigure.js";
import { bestArmFigure, skipFigure } from "./shareFigures.js";

/** Regret against rounds, on linear and on logarithmic axes. */
export interface RegretFigures {
  readonly log: Figure | null;
  readonly linear: Figure | null;
}

export function regretFigures(group: Group): RegretFigures {
  const rows = group.members.filter(({ row }) => row.checkpoints.length > 0);
  const bounds = rows.flatMap((member) => {
    const points = boundPoints(member);
    return points.length === 0 ? [] : [{ index: member.index, label: member.label, points }];
  });
  const input = { name: `${group.slug}--regret`, where: group.title, rows, bounds };
  return { log: regretFigure(input, "log"), linear: regretFigure(input, "linear") };
}

/** The smallest of the proved bounds at each checkpoint. */
function boundPoints({ row, guarantee }: Member): Point[] {
  return row.checkpoints.flatMap(({ round }) => {
    const values = (guarantee?.bounds ?? []).flatMap((bound) => bound.at(round) ?? []);
    return values.length === 0 ? [] : [{ x: round, y: Math.min(...values) }];
  });
}

/** The figures that show how certain the order is and how regret grows. */
export function besideFigures(group: Group): Figure[] {
  const { lead } = group;
  const differences = (lead?.rivals ?? []).map(({ member: { index, label }, comparison }) => ({ index, label, comparison }));
  return [lead && differencesFigure(group.slug, lead.first.label, differences), exponentFigure(group)].filter((figure) => figure !== null);
}

/** The figures that show what the policies did. */
export function otherFigures(group: Group): Figure[] {
  return [decadesFigure(group), bestArmFigure(group), skipFigure(group), armsFigure(group)].filter((figure) => figure !== null);
}
