import type { Resampler } from "../statistics/resamples.js";
import { type SweepSlope, sweepSlope } from "../statistics/sweepSlope.js";
import { finalsOf } from "./cells.js";
import { axisName, freeSlug, type Group } from "./group.js";
import type { Member } from "./member.js";

/** A policy along an axis. */
export interface SweptPolicy {
  /** Its position in the document. */
  readonly index: number;
  readonly label: string;
  readonly points: readonly { readonly value: number | string; readonly member: Member }[];
  /** Null if it cannot be fitted. */
  readonly slope: SweepSlope | null;
}

/** One environment along one varied axis. */
export interface Sweep {
  readonly environment: string;
  readonly path: string;
  /** The path without the part that names the environment. */
  readonly axis: string;
  readonly title: string;
  readonly slug: string;
  /** One per value, in the document's order. */
  readonly groups: readonly Group[];
  readonly policies: readonly SweptPolicy[];
}

/** Collects the sweeps among the groups. */
export function sweepsOf(groups: readonly Group[], resampler: Resampler): Sweep[] {
  const slugs = new Set<string>();
  const found = new Map<string, { environment: string; path: string; groups: Group[] }>();
  for (const group of groups) {
    if (group.sweep === null) continue;
    const key = JSON.stringify([group.environment, group.sweep.path]);
    const sweep = found.get(key);
    if (sweep === undefined) found.set(key, { environment: group.environment, path: group.sweep.path, groups: [group] });
    else sweep.groups.push(group);
  }
  return [...found.values()].map((sweep) => {
    const members = new Map(sweep.groups.flatMap((group) => group.members.map(({ index, label }) => [index, label] as const)));
    const policies = [...members].map(([index, label]) => {
      const points = sweep.groups.flatMap((group) =>
        group.members
          .filter((member) => member.index === index && member.row.checkpoints.length > 0)
          .map((member) => ({ value: group.sweep!.value, member })),
      );
      const samples = points.map(({ value, member }) => ({ value, finals: finalsOf(member.cell), bound: member.row.bound }));
      return { index, label, points, slope: sweepSlope(samples, resampler) };
    });
    const axis = axisName(sweep.environment, sweep.path);
    const title = `${sweep.environment} along ${axis}`;
    return { ...sweep, axis, title, slug: `sweep--${freeSlug(`${sweep.environment}-${axis}`, slugs)}`, policies };
  });
}
