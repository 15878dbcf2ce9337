import { parquetReadObjects } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../src/analysis/cells.js";
import { compareIds } from "../src/analysis/runOrder.js";
import type { Run } from "../src/document/run.js";
import { csvLine } from "../src/export/csv.js";
import { type TraceTable, traceTable } from "../src/export/traces.js";
import { tracesCsv } from "../src/export/tracesCsv.js";
import { tracesParquet } from "../src/export/tracesParquet.js";
import type { Results } from "../src/run/results.js";
import { completed, failed, makeOutcome, makeTrace, ROUNDS } from "./outcomes.js";

const { runs, results } = makeOutcome();
const bufferOf = (bytes: Uint8Array) => bytes.slice().buffer as ArrayBuffer;
const tableOf = (some: readonly Run[], theirs: Results) => traceTable(cellsOf(some, theirs), theirs);
const parquetOf = (table: TraceTable) => new Uint8Array(Buffer.concat([...tracesParquet(table)]));

function runOf(environment: string, policy: string, seed: number, value: number | string | null): Run {
  const sweep = value === null ? null : { path: "x", value };
  return { id: `${environment}/${policy}/${seed}${value === null ? "" : `/${value}`}`, environment, policy, seed, sweep };
}

describe("traces", () => {
  it("are sorted by run id, one row per checkpoint, without the runs that failed", async () => {
    const some = new Map(results).set(runs[0]!.id, failed(runs[0]!));
    const bytes = parquetOf(tableOf([...runs].reverse(), some));
    const rows = await parquetReadObjects({ file: bufferOf(bytes) });
    expect(rows.length).toBe((runs.length - 1) * ROUNDS.length);
    const ids = rows.map(({ environment, policy, seed }) => `${environment}/${policy}/${seed}`);
    expect(ids).toEqual([...ids].sort(compareIds));
    expect(ids).not.toContain(runs[0]!.id);
    expect(rows.slice(0, ROUNDS.length).map(({ round }) => Number(round))).toEqual(ROUNDS);
  });

  it("read back to the last bit, with nulls where there is nothing", async () => {
    const [a, b] = [runOf("e, 1", 'p"q', 2 ** 52, 0.1), runOf("f", "p", 1, null)];
    const some = new Map([
      [a.id, completed(a, { ...makeTrace(Math.PI, 0.3), details: { epoch: ROUNDS.map((_, i) => i / 3) }, anatomy: { A: ROUNDS.map((_, i) => -i) } })],
      [b.id, completed(b, { ...makeTrace(5e-324, 0), details: { lambda: ROUNDS.map(() => 2) } })],
    ]);
    const table = tableOf([b, a], some);
    expect(table.columns.map(({ name }) => name)).toEqual([
      ...["environment", "policy", "seed", "sweepPath", "sweepValue", "round", "pseudoRegret", "realizedRegret", "dynamicRegret", "skipped", "best"],
      ...["details_epoch", "details_lambda", "anatomy_A"],
    ]);
    const rows = await parquetReadObjects({ file: bufferOf(parquetOf(table)) });
    expect(rows.length).toBe(2 * ROUNDS.length);
    expect(rows[4]).toEqual({
      environment: "e, 1",
      policy: 'p"q',
      seed: 2n ** 52n,
      sweepPath: "x",
      sweepValue: 0.1,
      round: BigInt(ROUNDS[4]!),
      pseudoRegret: Math.PI * ROUNDS[4]! ** 0.3,
      realizedRegret: Math.PI * ROUNDS[4]! ** 0.3 - 1,
      dynamicRegret: Math.PI * ROUNDS[4]! ** 0.3 + 1,
      skipped: BigInt(Math.floor(ROUNDS[4]! / 10)),
      best: BigInt(Math.floor(ROUNDS[4]! / 2)),
      details_epoch: 4 / 3,
      details_lambda: null,
      anatomy_A: -4,
    });
    expect(rows[ROUNDS.length]).toMatchObject({
      sweepPath: null,
      sweepValue: null,
      pseudoRegret: 5e-324,
      details_epoch: null,
      details_lambda: 2,
      anatomy_A: null,
    });
  });

  it("have the bytes of a writer that adds its own statistics", async () => {
    const [a, b] = [runOf("e", "p", 3, -0.1), runOf("f", "q", 1, null)];
    const details = { zero: ROUNDS.map((_, i) => (i === 0 ? -0 : i)), minusZero: ROUNDS.map((_, i) => (i === 0 ? 0 : -i)) };
    const some = new Map([a, b].map((run) => [run.id, completed(run, { ...makeTrace(-run.seed, 0.3), ...(run === a && { details }) })]));
    const table = tableOf([a, b], some);
    const bytes = parquetOf(table);
    const rows = await parquetReadObjects({ file: bufferOf(bytes) });
    const types = { text: "STRING", integer: "INT64", number: "DOUBLE" } as const;
    const columnData = table.columns.map(({ name, type, nullable }) => ({ name, type: types[type], nullable, data: rows.map((row) => row[name]) }));
    expect(new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 100_000, pageSize: 0, kvMetadata: [] }))).toEqual(bytes);
  });

  it("keep swept words, and numbers beside them, as text", async () => {
    const some = [runOf("e", "p", 1, "all"), runOf("e", "p", 1, 3)];
    const table = tableOf(some, new Map(some.map((run) => [run.id, completed(run, makeTrace(1, 1))])));
    const rows = await parquetReadObjects({ file: bufferOf(parquetOf(table)) });
    expect(new Set(rows.map(({ sweepValue }) => sweepValue))).toEqual(new Set(["3", "all"]));
  });

  it("give equal bytes for equal tables, also for an empty one", async () => {
    const bytes = parquetOf(tableOf(runs, results));
    expect(parquetOf(tableOf(runs, new Map([...results].reverse())))).toEqual(bytes);
    const none = parquetOf(tableOf(runs, new Map()));
    expect(await parquetReadObjects({ file: bufferOf(none) })).toEqual([]);
  });

  it("stand a table of several row groups", async () => {
    const rounds = Array.from({ length: 1000 }, (_, i) => i + 1);
    const many = Array.from({ length: 250 }, (_, seed) => runOf("e", "p", seed, null));
    const table = tableOf(many, new Map(many.map((run) => [run.id, completed(run, makeTrace(1 + run.seed, 0.5, rounds))])));
    const rows = await parquetReadObjects({ file: bufferOf(parquetOf(table)), rowStart: 199_990, rowEnd: 200_010 });
    expect(rows.length).toBe(20);
    const { run, trace } = [...table.traces()][200]!;
    expect(rows[10]).toMatchObject({ seed: BigInt(run.seed), round: 1n, pseudoRegret: trace.pseudoRegret[0] });
  });

  it("as CSV follow RFC 4180 and read back to the last bit", () => {
    expect(csvLine(["a", 'b "c"', "d,e", "f\ng", null, 0.1, 1e300])).toBe('a,"b ""c""","d,e","f\ng",,0.1,1e+300\r\n');
    const lines = [...tracesCsv(tableOf(runs, results))].join("").split("\r\n");
    expect(lines.length).toBe(runs.length * ROUNDS.length + 2);
    expect(lines[0]).toBe("environment,policy,seed,sweepPath,sweepValue,round,pseudoRegret,realizedRegret,dynamicRegret,skipped,best");
    const result = results.get("steady/adatinf/1")!;
    if (result.status !== "completed") throw new Error("made up to complete");
    expect(lines[1]!.split(",").slice(0, 6)).toEqual(["steady", "adatinf", "1", "", "", "10"]);
    expect(Number(lines[1]!.split(",")[6])).toBe(result.trace.pseudoRegret[0]);
  });
});
