import { bootstrapSeed } from "../../analysis/bootstrapSeed.js";
import { type Group, groupsOf, type Member, type ReportInput } from "../../analysis/group.js";
import { growthOf, type MemberGrowth } from "../../analysis/growthOf.js";
import type { Profiles } from "../../analysis/profiles.js";
import { type Standing, standingOf } from "../../analysis/standing.js";
import { type Sweep, sweepsOf } from "../../analysis/sweep.js";
import { toldTo } from "../../analysis/toldTo.js";
import type { Figure } from "../../chart/figure.js";
import { createResampler, type Resampler } from "../../statistics/resamples.js";
import type { ProfileKey } from "../sections/profileTables.js";
import { anatomyFigure, lambdaFigure, type Term, termsOf } from "./anatomyFigure.js";
import { besideFigures, otherFigures, type RegretFigures, regretFigures } from "./groupFigures.js";
import { profileFigure } from "./profileFigure.js";
import { sweepFigure } from "./sweepFigure.js";

/** With more environments than this, each is told briefly. */
const MOST_AT_LENGTH = 8;

/** A group with all that is shown of it. */
export interface Chapter {
  readonly group: Group;
  readonly standing: Standing | null;
  readonly regret: RegretFigures;
  /** Short ones, beside the regret curves. */
  readonly beside: readonly Figure[];
  readonly others: readonly Figure[];
  readonly growths: readonly MemberGrowth[];
  readonly anatomy: readonly { readonly member: Member; readonly terms: readonly Term[]; readonly figure: Figure | null }[];
  readonly lambda: Figure | null;
}

export interface ProfileChapter {
  readonly profiles: Profiles;
  readonly key: ProfileKey;
  readonly figure: Figure;
}

export interface SweepChapter {
  readonly sweep: Sweep;
  readonly figure: Figure | null;
  readonly chapters: readonly Chapter[];
}

/** What a report tells, figures drawn, before it is a page. */
export interface Report {
  /** Null with few environments. */
  readonly across: ProfileChapter | null;
  readonly plain: readonly Chapter[];
  /** Whether there are so many of them that each is told briefly. */
  readonly many: boolean;
  readonly sweeps: readonly SweepChapter[];
}

/** The page and the files are made of the same. */
const known = new WeakMap<ReportInput, Report>();

export function readReport(input: ReportInput): Report {
  let report = known.get(input);
  if (report === undefined) {
    report = read(input);
    known.set(input, report);
  }
  return report;
}

function read(input: ReportInput): Report {
  const seed = bootstrapSeed(input.frozen.hash);
  const resampler = createResampler(seed);
  const groups = groupsOf(input);
  const plain = groups.filter(({ sweep }) => sweep === null);
  const many = plain.length > MOST_AT_LENGTH;
  const chapters = new Map(groups.map((group) => [group, chapterOf(group, many, resampler, seed)]));
  return {
    across: acrossOf(input, plain),
    plain: plain.map((group) => chapters.get(group)!),
    many,
    sweeps: sweepsOf(groups, resampler).map((sweep) => ({
      sweep,
      figure: sweepFigure(sweep),
      chapters: sweep.groups.map((group) => chapters.get(group)!),
    })),
  };
}

function acrossOf({ frozen: { experiment }, profiles }: ReportInput, plain: readonly Group[]): ProfileChapter | null {
  if (profiles === null) return null;
  const policies = Object.keys(experiment.policies);
  const key = {
    policies,
    told: new Map(policies.map((label) => [label, toldTo(experiment.policies[label]!)])),
    slugs: new Map(plain.map(({ environment, slug }) => [environment, slug])),
  };
  return { profiles, key, figure: profileFigure(profiles.sound, policies) };
}

/** One of many environments, or of many values of a sweep, is told more briefly than one of a few environments. */
function chapterOf(group: Group, many: boolean, resampler: Resampler, seed: number): Chapter {
  const standing = standingOf(group, resampler, seed);
  const regret = regretFigures(group);
  const brief = { group, standing, regret, beside: [], others: [], growths: [], anatomy: [], lambda: null };
  if (group.sweep !== null) return brief;
  const terms = new Map(group.members.map((member) => [member, termsOf(member, resampler)] as const).filter(([, columns]) => columns.length > 0));
  const plain = {
    ...brief,
    anatomy: [...terms].map(([member, columns]) => ({ member, terms: columns, figure: anatomyFigure(group, member, columns) })),
    lambda: lambdaFigure(group, terms),
  };
  if (many) return { ...plain, regret: { ...regret, linear: null } };
  const growths = group.members.map((member) => growthOf(member, resampler));
  return { ...plain, beside: besideFigures(group, standing), others: otherFigures(group, growths), growths };
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
  const all = [
    across?.figure ?? null,
    ...plain.flatMap(ofChapter),
    ...sweeps.flatMap(({ figure, chapters }) => [figure, ...chapters.flatMap(ofChapter)]),
  ];
  return all.filter((figure) => figure !== null);
}
