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
  const writer = new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData: sources() }), kvMetadata, statistics: false });
  const group = columns.map(emptyGroup);
  let rows = 0;
  const encode = () => {
    if (rows === 0) return;
    const values = group.map((room) => (rows < GROUP_ROWS ? room.slice(0, rows) : room));
    const columnData = sources().map((source, c) => ({ ...source, data: dataOf(values[c]!, columns[c]!.type) }));
    // No limit of pages: the numbers of a group are below the default of a megabyte, which the writer would find out value by value.
    writer.write({ columnData, rowGroupSize: GROUP_ROWS, pageSize: 0 });
    for (const [c, { meta_data }] of writer.row_groups.at(-1)!.columns.entries()) describe(meta_data!, values[c]!, columns[c]!.type);
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

/** The values of a column in a group of rows. Typed where none can be missing, so that numbers need no memory of their own. */
type Room = Float64Array | (string | number | null)[];

function emptyGroup({ type, nullable }: TraceColumn): Room {
  return nullable || type === "text" ? new Array(GROUP_ROWS) : new Float64Array(GROUP_ROWS);
}

/** Writes the values at some checkpoints of a run into a group, from a row on. */
function fill(room: Room, row: number, column: TraceColumn, run: Run, trace: Trace, from: number, to: number): void {
  const values = column.values(run, trace);
  if (values === null || typeof values === "string" || typeof values === "number") {
    (room as unknown[]).fill(values, row, row + to - from);
    return;
  }
  for (let i = from; i < to; i++) {
    const value = values[i];
    // A typed column would take it for NaN.
    if (value === undefined) throw new Error(`${run.id}: no value of ${column.name} at round ${trace.round[i]}`);
    room[row + i - from] = value;
  }
}

/** The values of a column as the writer takes them. */
function dataOf(values: Room, type: ColumnType): ColumnSource["data"] {
  if (type !== "integer") return values as ColumnSource["data"];
  const integers = new BigInt64Array(values.length);
  for (let i = 0; i < values.length; i++) integers[i] = BigInt(values[i]!);
  return integers;
}

/** What a file says of the values of a column in a group of rows. */
type ColumnMetadata = NonNullable<ParquetWriter["row_groups"][number]["columns"][number]["meta_data"]>;

/**
 * Adds the statistics of a column. The writer can do that itself, with the same bytes, but then it takes twice as long in all: it asks of every value what
 * kind it is.
 */
function describe(metadata: ColumnMetadata, values: Room, type: ColumnType): void {
  let least: string | number | undefined;
  let most: string | number | undefined;
  let missing = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value === null) {
      missing++;
      continue;
    }
    if (least === undefined || value < least) least = value;
    if (most === undefined || value > most) most = value;
  }
  // Zeros of either sign are equal: the format wants the bounds of both.
  if (least === 0) least = -0;
  if (most === 0) most = 0;
  const bound = (value: string | number) => (type === "integer" ? BigInt(value) : value);
  const bounds = least === undefined ? {} : { min_value: bound(least), max_value: bound(most!) };
  metadata.statistics = { ...bounds, null_count: BigInt(missing) };
  metadata.encoding_stats = [{ page_type: "DATA_PAGE_V2", encoding: metadata.encodings[0]!, count: 1 }];
  if (metadata.dictionary_page_offset !== undefined) {
    metadata.encoding_stats.unshift({ page_type: "DICTIONARY_PAGE", encoding: "PLAIN", count: 1 });
  }
}
