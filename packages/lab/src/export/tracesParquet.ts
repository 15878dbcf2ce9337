import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { Run } from "../document/run.js";
import type { Trace } from "../run/runResult.js";
import type { ColumnType, TraceColumn, TraceTable } from "./traces.js";

/** The number of rows encoded at a time. */
const GROUP_ROWS = 100_000;

const TYPES = { text: "STRING", integer: "INT64", number: "DOUBLE" } as const satisfies Record<ColumnType, unknown>;

/**
 * The table as a Parquet file, in pieces: one per group of rows, then the end. The same table gives the same bytes: the file contains no time and
 * nothing about the machine.
 */
export function* tracesParquet({ columns, traces }: TraceTable, metadata: Readonly<Record<string, string>> = {}): Generator<Uint8Array, void> {
  const bytes = new ByteWriter();
  const sources = (): ColumnSource[] => columns.map(({ name, type, nullable }) => ({ name, type: TYPES[type], nullable, data: [] }));
  const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  const writer = new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData: sources() }), kvMetadata });
  const group = columns.map(emptyGroup);
  let rows = 0;
  const encode = () => {
    if (rows === 0) return;
    const columnData = sources().map((source, c) => ({ ...source, data: group[c]!.slice(0, rows) as ColumnSource["data"] }));
    // No limit of pages: the numbers of a group are below the default of a megabyte, which the writer would find out value by value.
    writer.write({ columnData, rowGroupSize: GROUP_ROWS, pageSize: 0 });
    rows = 0;
  };
  /** What has been encoded so far, taken out of the buffer; the position in the file stays. */
  const taken = () => {
    const piece = bytes.getBytes().slice();
    bytes.index = 0;
    return piece;
  };
  for (const { run, trace } of traces()) {
    const end = trace.round.length;
    for (let from = 0; from < end; ) {
      const to = Math.min(end, from + GROUP_ROWS - rows);
      for (const [c, column] of columns.entries()) fill(group[c]!, rows, column, run, trace, from, to);
      rows += to - from;
      from = to;
      if (rows === GROUP_ROWS) {
        encode();
        yield taken();
      }
    }
  }
  encode();
  writer.finish();
  yield taken();
}

interface Room {
  [i: number]: unknown;
  fill(value: unknown, from: number, to: number): unknown;
  slice(from: number, to: number): unknown;
}

/** Writes the values at some checkpoints of a run into a group, from a row on. */
function fill(room: Room, row: number, column: TraceColumn, run: Run, trace: Trace, from: number, to: number): void {
  const values = column.values(run, trace);
  const integer = column.type === "integer";
  if (values === null || typeof values === "string" || typeof values === "number") {
    room.fill(integer && values !== null ? BigInt(values) : values, row, row + to - from);
    return;
  }
  for (let i = from; i < to; i++) {
    const value = values[i];
    // A typed column would take it for NaN.
    if (value === undefined) throw new Error(`${run.id}: no value of ${column.name} at round ${trace.round[i]}`);
    room[row + i - from] = integer ? BigInt(value) : value;
  }
}

/** Room for the values of a group of rows; typed where none can be missing, so that numbers need no memory of their own. */
function emptyGroup({ type, nullable }: TraceColumn): Room {
  if (nullable || type === "text") return new Array(GROUP_ROWS);
  return type === "integer" ? new BigInt64Array(GROUP_ROWS) : new Float64Array(GROUP_ROWS);
}
