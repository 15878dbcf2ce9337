import type { Environment } from "tsallis";
import type { Experiment } from "../document/experiment.js";
import type { Run, SweepPoint } from "../document/run.js";
import { finalOf } from "./finalOf.js";
import type { Lead } from "./lead.js";
import type { Member } from "./member.js";
import { worldOf } from "./worldOf.js";

/** Policies that are compared with each other: those of one environment, at one value in a sweep. */
export interface Group {
  readonly environment: string;
  readonly sweep: SweepPoint | null;
  /** The environment, and in a sweep also the value, in words. */
  readonly title: string;
  /** A unique name for ids and file names, of letters, digits and hyphens. */
  readonly slug: string;
  /** Null if the environment could not be created. */
  readonly world: Environment | null;
  /** In the order of the document. */
  readonly members: readonly Member[];
  /**
   * Those with a completed run, by ascending mean pseudo-regret at the horizon; policies that tie keep the document's order. Those that lack seeds that others completed
   * come last: a policy that fails on the hard seeds has a small mean on the rest.
   */
  readonly ranked: readonly Member[];
  /** Null if no run completed. */
  readonly lead: Lead | null;
}

/** The groups in the order of the document. `memberOf` finds the policy to which a run belongs. */
export function groupsOf(
  experiment: Experiment,
  runs: readonly Run[],
  memberOf: (run: Run) => Member,
  leadOf: (ranked: readonly Member[]) => Lead | null,
): Group[] {
  const slugs = new Set(["sweep"]);
  const found = new Map<string, { first: Run; members: Set<Member> }>();
  for (const run of runs) {
    const key = JSON.stringify([run.environment, run.sweep?.path, run.sweep?.value]);
    const group = found.get(key) ?? { first: run, members: new Set() };
    found.set(key, group);
    group.members.add(memberOf(run));
  }
  return [...found.values()].map(({ first, members }) => {
    const { environment, sweep } = first;
    const axis = sweep && axisName(environment, sweep.path);
    const played = [...members].filter(({ row }) => row.seeds > 0).sort((a, b) => finalOf(a.row)!.mean - finalOf(b.row)!.mean);
    const most = Math.max(...played.map(({ row }) => row.seeds));
    const ranked = [...played.filter(({ row }) => row.seeds === most), ...played.filter(({ row }) => row.seeds < most)];
    return {
      environment,
      sweep,
      title: sweep === null ? environment : `${environment}, ${axis} = ${sweep.value}`,
      slug: freeSlug(sweep === null ? environment : `${environment}-${axis}-${sweep.value}`, slugs),
      world: worldOf(experiment, first),
      members: [...members],
      ranked,
      lead: leadOf(ranked),
    };
  });
}

/** `arms` for `environments.hardest.arms` in hardest; other paths stay unchanged. */
export function axisName(environment: string, path: string): string {
  const inside = [`environments.${environment}.`, "environments.*."].find((prefix) => path.startsWith(prefix));
  return inside === undefined ? path : path.slice(inside.length);
}

/**
 * A free name for files and ids, without capitals or double hyphens, which the page and the files reserve for themselves. A number is appended if the
 * name is taken.
 */
export function freeSlug(text: string, taken: Set<string>): string {
  const base =
    text
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, "-")
      .replace(/\./g, "_")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "unnamed";
  let slug = base;
  for (let number = 2; taken.has(slug); number++) slug = `${base}-${number}`;
  taken.add(slug);
  return slug;
}
