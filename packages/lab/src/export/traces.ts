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
  /** The values of a run at its checkpoints, or the one that it has at all of them. */
  values(run: Run, trace: Trace): readonly number[] | string | number | null;
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
    { name: "environment", type: "text", nullable: false, values: ({ environment }) => environment },
    { name: "policy", type: "text", nullable: false, values: ({ policy }) => policy },
    { name: "seed", type: "integer", nullable: false, values: ({ seed }) => seed },
    { name: "sweepPath", type: "text", nullable: true, values: ({ sweep }) => sweep?.path ?? null },
    numeric
      ? { name: "sweepValue", type: "number", nullable: true, values: ({ sweep }) => sweep?.value ?? null }
      : { name: "sweepValue", type: "text", nullable: true, values: ({ sweep }) => (sweep === null ? null : String(sweep.value)) },
    { name: "round", type: "integer", nullable: false, values: (_, { round }) => round },
    { name: "pseudoRegret", type: "number", nullable: false, values: (_, { pseudoRegret }) => pseudoRegret },
    { name: "realizedRegret", type: "number", nullable: false, values: (_, { realizedRegret }) => realizedRegret },
    { name: "dynamicRegret", type: "number", nullable: false, values: (_, { dynamicRegret }) => dynamicRegret },
    { name: "skipped", type: "integer", nullable: false, values: (_, { skipped }) => skipped },
    { name: "best", type: "integer", nullable: false, values: (_, { best }) => best },
  ];
  for (const name of union(completed.map(({ detailNames }) => detailNames))) {
    columns.push({ name: `details_${name}`, type: "number", nullable: true, values: (_, { details }) => details[name] ?? null });
  }
  for (const name of union(completed.map(({ anatomyNames }) => anatomyNames))) {
    columns.push({ name: `anatomy_${name}`, type: "number", nullable: true, values: (_, { anatomy }) => anatomy?.[name] ?? null });
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
