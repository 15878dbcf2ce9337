import type { Analysis } from "../../analysis/analysis.js";
import type { Group } from "../../analysis/group.js";
import type { Member } from "../../analysis/member.js";
import type { Sweep } from "../../analysis/sweep.js";
import type { Figure } from "../../chart/figure.js";
import { anatomyFigure, lambdaFigure } from "./anatomyFigure.js";
import { besideFigures, otherFigures, type RegretFigures, regretFigures } from "./groupFigures.js";
import { profileFigure } from "./profileFigure.js";
import { sweepFigure } from "./sweepFigure.js";

/** A group with its figures. */
export interface Chapter {
  readonly group: Group;
  readonly regret: RegretFigures;
  /** Short ones, beside the regret curves. */
  readonly beside: readonly Figure[];
  readonly others: readonly Figure[];
  readonly anatomy: readonly { readonly member: Member; readonly figure: Figure | null }[];
  readonly lambda: Figure | null;
}

export interface SweepChapter {
  readonly sweep: Sweep;
  readonly figure: Figure | null;
  readonly chapters: readonly Chapter[];
}

/** What a report tells, figures drawn, before it is a page and files. */
export interface Report {
  readonly analysis: Analysis;
  /** The profile's; null with few environments. */
  readonly across: Figure | null;
  readonly plain: readonly Chapter[];
  readonly sweeps: readonly SweepChapter[];
}

export function drawReport(analysis: Analysis): Report {
  const { groups, sweeps, profiles, manyEnvironments, frozen } = analysis;
  const chapters = new Map(groups.map((group) => [group, chapterOf(group, manyEnvironments)]));
  return {
    analysis,
    across: profiles && profileFigure(profiles.sound, Object.keys(frozen.experiment.policies)),
    plain: groups.filter(({ sweep }) => sweep === null).map((group) => chapters.get(group)!),
    sweeps: sweeps.map((sweep) => ({ sweep, figure: sweepFigure(sweep), chapters: sweep.groups.map((group) => chapters.get(group)!) })),
  };
}

/** One of many environments, or of many values of a sweep, is told more briefly than one of a few environments. */
function chapterOf(group: Group, many: boolean): Chapter {
  const regret = regretFigures(group);
  const brief = { group, regret, beside: [], others: [], anatomy: [], lambda: null };
  if (group.sweep !== null) return brief;
  const recorded = group.members.filter(({ terms }) => terms.length > 0);
  const plain = { ...brief, anatomy: recorded.map((member) => ({ member, figure: anatomyFigure(group, member) })), lambda: lambdaFigure(group) };
  if (many) return { ...plain, regret: { ...regret, linear: null } };
  return { ...plain, beside: besideFigures(group), others: otherFigures(group) };
}

/** Every figure of a report. */
export function figuresOf({ across, plain, sweeps }: Report): Figure[] {
  const ofChapter = ({ regret, beside, others, anatomy, lambda }: Chapter) => [
    regret.log,
    regret.linear,
    ...beside,
    ...others,
    ...anatomy.map(({ figure }) => figure),
    lambda,
  ];
  const all = [across, ...plain.flatMap(ofChapter), ...sweeps.flatMap(({ figure, chapters }) => [figure, ...chapters.flatMap(ofChapter)])];
  return all.filter((figure) => figure !== null);
}
