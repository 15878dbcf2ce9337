import type { Cell } from "../analysis/cells.js";
import { compareIds } from "../analysis/runOrder.js";
import type { Run } from "../document/run.js";
import type { Results } from "../run/results.js";
import type { Trace } from "../run/runResult.js";

export type ColumnType = "text" | "integer" | "number";

/** One column of the table of all traces. */
export interface TraceColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** The value at the i-th checkpoint of a run. */
  value(run: Run, trace: Trace, i: number): string | number | null;
}

/** The traces of the completed runs, one row per checkpoint, in the order of the run ids. */
export interface TraceTable {
  readonly columns: readonly TraceColumn[];
  /** Reads one trace after the other. */
  traces(): Iterable<{ readonly run: Run; readonly trace: Trace }>;
}

/**
 * The table in `traces.parquet` and `traces.csv`. The policies' own details and the terms of the anatomy come last, as `details_...` and
 * `anatomy_...`, and are empty for runs without them. The swept values are numbers if all of them are, otherwise text.
 */
export function traceTable(cells: readonly Cell[], results: Results): TraceTable {
  const completed = cells.filter(({ runs }) => runs.length > 0);
  const numeric = completed.every(({ sweep }) => sweep === null || typeof sweep.value === "number");
  const columns: TraceColumn[] = [
    { name: "environment", type: "text", nullable: false, value: ({ environment }) => environment },
    { name: "policy", type: "text", nullable: false, value: ({ policy }) => policy },
    { name: "seed", type: "integer", nullable: false, value: ({ seed }) => seed },
    { name: "sweepPath", type: "text", nullable: true, value: ({ sweep }) => sweep?.path ?? null },
    numeric
      ? { name: "sweepValue", type: "number", nullable: true, value: ({ sweep }) => sweep?.value ?? null }
      : { name: "sweepValue", type: "text", nullable: true, value: ({ sweep }) => (sweep === null ? null : String(sweep.value)) },
    { name: "round", type: "integer", nullable: false, value: (_, { round }, i) => round[i]! },
    { name: "pseudoRegret", type: "number", nullable: false, value: (_, { pseudoRegret }, i) => pseudoRegret[i]! },
    { name: "realizedRegret", type: "number", nullable: false, value: (_, { realizedRegret }, i) => realizedRegret[i]! },
    { name: "dynamicRegret", type: "number", nullable: false, value: (_, { dynamicRegret }, i) => dynamicRegret[i]! },
    { name: "skipped", type: "integer", nullable: false, value: (_, { skipped }, i) => skipped[i]! },
    { name: "best", type: "integer", nullable: false, value: (_, { best }, i) => best[i]! },
  ];
  for (const name of union(completed.map(({ detailNames }) => detailNames))) {
    columns.push({ name: `details_${name}`, type: "number", nullable: true, value: (_, { details }, i) => details[name]?.[i] ?? null });
  }
  for (const name of union(completed.map(({ anatomyNames }) => anatomyNames))) {
    columns.push({ name: `anatomy_${name}`, type: "number", nullable: true, value: (_, { anatomy }, i) => anatomy?.[name]?.[i] ?? null });
  }
  return { columns, traces: () => tracesOf(completed, results) };
}

function* tracesOf(cells: readonly Cell[], results: Results): Generator<{ run: Run; trace: Trace }, void> {
  for (const run of cells.flatMap(({ runs }) => runs).sort((a, b) => compareIds(a.id, b.id))) {
    const result = results.get(run.id);
    if (result?.status === "completed") yield { run, trace: result.trace };
  }
}

function union(sets: readonly ReadonlySet<string>[]): string[] {
  return [...new Set(sets.flatMap((names) => [...names]))].sort(compareIds);
}
