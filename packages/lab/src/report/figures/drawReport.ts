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
  /** The short figures beside the regret curves. */
  readonly beside: readonly Figure[];
  readonly others: readonly Figure[];
  readonly anatomy: readonly { readonly member: Member; readonly figure: Figure | null }[];
  readonly lambda: Figure | null;
}

/** A sweep with its figures. */
export interface SweepChapter {
  readonly sweep: Sweep;
  readonly figure: Figure | null;
  /** One per value; none with more than MOST_CHAPTERS values. */
  readonly chapters: readonly Chapter[];
}

/** A page of more chapters is too long for a reader and a browser, and drawing it takes two thirds of a megabyte for each policy in each. */
export const MOST_CHAPTERS = 100;

/** The content of a report with its figures drawn, before it becomes a page and files. */
export interface Report {
  readonly analysis: Analysis;
  /** The figure of the profile; null if there are too few environments. @internal */
  readonly across: Figure | null;
  /** @internal */
  readonly plain: readonly Chapter[];
  /** @internal */
  readonly sweeps: readonly SweepChapter[];
}

/** Draws every figure of a report. */
export function drawReport(analysis: Analysis): Report {
  const { groups, sweeps, profiles, manyEnvironments, frozen } = analysis;
  const drawn = (some: readonly Group[]) => some.map((group) => chapterOf(group, manyEnvironments));
  return {
    analysis,
    across: profiles && profileFigure(profiles.sound, Object.keys(frozen.experiment.policies)),
    plain: drawn(groups.filter(({ sweep }) => sweep === null)),
    sweeps: sweeps.map((sweep) => ({
      sweep,
      figure: sweepFigure(sweep),
      chapters: sweep.groups.length > MOST_CHAPTERS ? [] : drawn(sweep.groups),
    })),
  };
}

/** If there are many environments or values of a sweep, each gets a brief chapter. */
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
