import type { Environment } from "tsallis";
import type { Series } from "../chart/figure.js";
import type { FrozenExperiment } from "../document/experiment.js";
import { resolveRun } from "../document/resolveRun.js";
import type { Run, SweepPoint } from "../document/run.js";
import type { RunResult } from "../run/runResult.js";
import type { Guarantee } from "../theory/applicableBounds.js";
import type { GuaranteeOf } from "../theory/guaranteeOf.js";
import { type Cell, cellsOf } from "./cells.js";
import type { Profiles } from "./profiles.js";
import type { Ranking } from "./ranking.js";
import type { SummaryRow } from "./summary.js";
import type { ClaimVerdict } from "./weighEvidence.js";

/** Everything that a report is made of. */
export interface ReportInput {
  readonly frozen: FrozenExperiment;
  readonly runs: readonly Run[];
  /** By run id; runs without a result are left out of the report. */
  readonly results: ReadonlyMap<string, RunResult>;
  readonly summary: readonly SummaryRow[];
  /** Of the same runs. */
  readonly rankings: readonly Ranking[];
  /** Null with few environments. */
  readonly profiles: Profiles | null;
  readonly guarantees: GuaranteeOf;
  /** What the data say of the claim. */
  readonly claim: ClaimVerdict;
}

/** A policy in a group, with all that is known about it there. */
export interface Member extends Series {
  /** Its label for file names, unique among the policies. */
  readonly slug: string;
  readonly row: SummaryRow;
  readonly cell: Cell;
  /** Null where the policy or the environment could not be made. */
  readonly guarantee: Guarantee | null;
}

/** What is compared with each other: the policies in one environment, in a sweep at one value. */
export interface Group {
  readonly environment: string;
  readonly sweep: SweepPoint | null;
  /** The environment, or the value of the sweep there, in words. */
  readonly title: string;
  /** For ids and file names: unique, of letters, digits and hyphens. */
  readonly slug: string;
  /** Null where it could not be made. */
  readonly world: Environment | null;
  /** In the order of the document. */
  readonly members: readonly Member[];
  /** Those with a completed run, from the smallest mean pseudo-regret at the horizon to the largest. */
  readonly ranked: readonly Member[];
}

/** The groups in the order of the document. */
export function groupsOf({ frozen, runs, results, summary, rankings, guarantees }: ReportInput): Group[] {
  const { experiment } = frozen;
  const labels = Object.keys(experiment.policies);
  const taken = new Set<string>();
  const names = labels.map((label) => freeSlug(label, taken));
  const rows = new Map(summary.map((row) => [key(row.environment, row.policy, row.sweep ?? null), row]));
  const cells = new Map(cellsOf(runs, results).map((cell) => [key(cell.environment, cell.policy, cell.sweep), cell]));
  const orders = new Map(rankings.map(({ environment, sweep, entries }) => [key(environment, "", sweep), entries]));
  const slugs = new Set(["sweep"]);
  const groups = new Map<string, { first: Run; members: Member[] }>();
  for (const run of runs) {
    const row = rows.get(key(run.environment, run.policy, run.sweep));
    const cell = cells.get(key(run.environment, run.policy, run.sweep));
    if (row === undefined || cell === undefined || cell.runs[0]!.id !== run.id) continue;
    const id = key(run.environment, "", run.sweep);
    let group = groups.get(id);
    if (group === undefined) {
      group = { first: run, members: [] };
      groups.set(id, group);
    }
    const index = labels.indexOf(run.policy);
    group.members.push({ index, label: run.policy, slug: names[index]!, row, cell, guarantee: guarantees(run) });
  }
  return [...groups.values()].map(({ first, members }) => ({
    environment: first.environment,
    sweep: first.sweep,
    title: first.sweep === null ? first.environment : `${first.environment}, ${axisName(first.environment, first.sweep.path)} = ${first.sweep.value}`,
    slug: freeSlug(
      first.sweep === null ? first.environment : `${first.environment}-${axisName(first.environment, first.sweep.path)}-${first.sweep.value}`,
      slugs,
    ),
    world: worldOf(frozen, first),
    members,
    ranked: (orders.get(key(first.environment, "", first.sweep)) ?? []).flatMap(({ policy, final }) =>
      final === null ? [] : members.filter(({ label }) => label === policy),
    ),
  }));
}

function key(environment: string, policy: string, sweep: SweepPoint | null): string {
  return JSON.stringify([environment, policy, sweep?.path, sweep?.value]);
}

/** `arms` for `environments.hardest.arms` in hardest; other paths as they are. */
export function axisName(environment: string, path: string): string {
  const inside = [`environments.${environment}.`, "environments.*."].find((prefix) => path.startsWith(prefix));
  return inside === undefined ? path : path.slice(inside.length);
}

/** A name for files and ids: without capitals or double hyphens, which the page and the files keep to themselves. A number is added where it is taken. */
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

function worldOf({ experiment }: FrozenExperiment, run: Run): Environment | null {
  try {
    return resolveRun(experiment, run).environment;
  } catch {
    return null;
  }
}
