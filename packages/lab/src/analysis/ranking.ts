import type { FrozenExperiment } from "../document/experiment.js";
import type { Run, SweepPoint } from "../document/run.js";
import type { RunResult } from "../run/runResult.js";
import type { Estimate } from "../statistics/interval.js";
import { pairedComparison } from "../statistics/pairedComparison.js";
import { createResampler } from "../statistics/resamples.js";
import { bootstrapSeed } from "./bootstrapSeed.js";
import { cellsOf, finalsOf } from "./cells.js";
import type { SummaryPoint, SummaryRow } from "./summary.js";

/** One policy in a ranking; statistics are of pseudo-regret at the horizon. */
export interface RankingEntry {
  /** From 1; policies without a completed run come last. */
  readonly rank: number;
  readonly policy: string;
  readonly seeds: number;
  readonly failed: number;
  /** Null if no run completed. */
  readonly final: SummaryPoint | null;
  /** The share of the completed runs that end without having learnt; null where that can not be said. */
  readonly neverLearned: number | null;
  /** The probability of less regret than the next policy at the same seed; null for the last one. */
  readonly beatsNext: Estimate | null;
  readonly bound: number | null;
  readonly note: string | null;
}

/** The policies of one environment, in a sweep at one value, from the smallest mean pseudo-regret to the largest. */
export interface Ranking {
  readonly environment: string;
  readonly sweep: SweepPoint | null;
  readonly horizon: number;
  readonly entries: readonly RankingEntry[];
}

/** One ranking per environment and swept value, in the order in which the runs have them. `summary`: the rows of the same runs. */
export function rankings(
  frozen: FrozenExperiment,
  runs: readonly Run[],
  results: ReadonlyMap<string, RunResult>,
  summary: readonly SummaryRow[],
): Ranking[] {
  const rowOf = new Map(summary.map((row) => [keyOf(row, row.policy), row]));
  const finals = new Map(cellsOf(runs, results).map((cell) => [keyOf(cell, cell.policy), finalsOf(cell)]));
  const resampler = createResampler(bootstrapSeed(frozen.hash));
  return groupsOf(runs).map(({ environment, sweep, policies }) => {
    const rows = [...policies].map((policy) => rowOf.get(keyOf({ environment, sweep }, policy))!).sort(byMean);
    const finalsAt = (rank: number) => finals.get(keyOf({ environment, sweep }, rows[rank - 1]?.policy)) ?? new Map<number, number>();
    const entries = rows.map((row, i) => ({
      rank: i + 1,
      policy: row.policy,
      seeds: row.seeds,
      failed: row.failed,
      final: finalOf(row),
      neverLearned: row.neverLearned,
      beatsNext: pairedComparison(finalsAt(i + 1), finalsAt(i + 2), resampler)?.probability ?? null,
      bound: row.bound,
      note: row.note,
    }));
    return { environment, sweep, horizon: rows[0]!.horizon, entries };
  });
}

interface Group {
  readonly environment: string;
  readonly sweep: SweepPoint | null;
  readonly policies: Set<string>;
}

function groupsOf(runs: readonly Run[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { environment, policy, sweep } of runs) {
    const key = keyOf({ environment, sweep });
    if (!groups.has(key)) groups.set(key, { environment, sweep, policies: new Set() });
    groups.get(key)!.policies.add(policy);
  }
  return [...groups.values()];
}

/** Stable, so that policies that tie keep the document's order. */
function byMean(a: SummaryRow, b: SummaryRow): number {
  const [x, y] = [finalOf(a)?.mean ?? Infinity, finalOf(b)?.mean ?? Infinity];
  return x < y ? -1 : x > y ? 1 : 0;
}

function finalOf({ checkpoints }: SummaryRow): SummaryPoint | null {
  return checkpoints[checkpoints.length - 1] ?? null;
}

function keyOf({ environment, sweep }: { readonly environment: string; readonly sweep?: SweepPoint | null }, policy = ""): string {
  return JSON.stringify([environment, sweep?.path, sweep?.value, policy]);
}
