import type { Run, SweepPoint } from "../document/run.js";
import type { Results } from "../run/results.js";
import type { Trace } from "../run/runResult.js";
import { compareIds } from "./runOrder.js";

/** Runs that differ only in their seed. */
export interface Cell {
  /** The run id without the seed: `environment/policy`, and `/value` in a sweep. */
  readonly id: string;
  readonly environment: string;
  readonly policy: string;
  readonly sweep: SweepPoint | null;
  /** In ascending order of the seed. */
  readonly runs: readonly Run[];
  /** The traces of the completed runs, in ascending order of the seed. */
  readonly traces: ReadonlyMap<number, Trace>;
  /** The number of failed runs. A run without a result has neither completed nor failed. */
  readonly failed: number;
}

/** The cells of some runs, sorted by id. */
export function cellsOf(runs: readonly Run[], results: Results): Cell[] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const id = cellId(run);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [run]);
    else group.push(run);
  }
  return [...groups].sort(([a], [b]) => compareIds(a, b)).map(([id, group]) => cellOf(id, group, results));
}

function cellId({ id, environment, policy, seed }: Run): string {
  return `${environment}/${policy}${id.slice(`${environment}/${policy}/${seed}`.length)}`;
}

function cellOf(id: string, group: readonly Run[], results: Results): Cell {
  const runs = [...group].sort((a, b) => a.seed - b.seed);
  const { environment, policy, sweep } = runs[0]!;
  const traces = new Map<number, Trace>();
  let failed = 0;
  for (const run of runs) {
    const result = results.get(run.id);
    if (result?.status === "completed") traces.set(run.seed, result.trace);
    else if (result?.status === "failed") failed++;
  }
  return { id, environment, policy, sweep, runs, traces, failed };
}

/** Final pseudo-regret by seed. */
export function finalsOf({ traces }: Cell): Map<number, number> {
  return new Map([...traces].map(([seed, { pseudoRegret }]) => [seed, pseudoRegret[pseudoRegret.length - 1]!]));
}
