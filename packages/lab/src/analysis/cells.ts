import type { Run, SweepPoint } from "../document/run.js";
import type { Results } from "../run/results.js";
import type { RunResult } from "../run/runResult.js";
import type { BySeed } from "../statistics/pairedComparison.js";
import { readCell } from "./readCell.js";
import { compareIds } from "./runOrder.js";

/** Runs that differ only in their seed, and the few numbers of each that are compared with other cells. Their traces are not kept. */
export interface Cell {
  /** The run id without the seed: `environment/policy`, and `/value` in a sweep. */
  readonly id: string;
  readonly environment: string;
  readonly policy: string;
  readonly sweep: SweepPoint | null;
  /** The completed runs, in ascending order of the seed. */
  readonly runs: readonly Run[];
  /** A run without a result has neither completed nor failed. */
  readonly failures: readonly FailedRun[];
  /** The checkpoints; empty if no run completed. */
  readonly rounds: readonly number[];
  /** Pseudo-regret at the horizon, one per completed run. */
  readonly finals: Float64Array;
  /** Regret against the best arm of each round, at the horizon and in the last fifth of the rounds, one per completed run. */
  readonly dynamicFinals: Float64Array;
  readonly lastFifths: Float64Array;
  /** The time that each completed run took. */
  readonly seconds: Float64Array;
  /** The names of the columns that the policy and the anatomy add to the traces. */
  readonly detailNames: ReadonlySet<string>;
  readonly anatomyNames: ReadonlySet<string>;
}

/** @inline */
export type FailedRun = RunResult & { readonly status: "failed" };

/** The cells of some runs, sorted by id. */
export function cellsOf(runs: readonly Run[], results: Results): Cell[] {
  return [...runsByCell(runs)].sort(([a], [b]) => compareIds(a, b)).map(([id, group]) => readCell(id, group, results).cell);
}

/** The runs of each cell, by its id, in the order of the first run. */
export function runsByCell(runs: readonly Run[]): Map<string, Run[]> {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const id = cellId(run);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [run]);
    else group.push(run);
  }
  return groups;
}

function cellId({ id, environment, policy, seed }: Run): string {
  return `${environment}/${policy}${id.slice(`${environment}/${policy}/${seed}`.length)}`;
}

/** Final pseudo-regret by seed. */
export function finalsOf({ runs, finals }: Cell): BySeed {
  return new Map(runs.map(({ seed }, i) => [seed, finals[i]!]));
}
