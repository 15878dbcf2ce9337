import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { ColumnType, TraceTable } from "./traces.js";

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
  let group: unknown[][] = columns.map(() => []);
  const encode = () => {
    if (group[0]!.length === 0) return;
    writer.write({ columnData: sources().map((source, i) => ({ ...source, data: group[i]! })), rowGroupSize: GROUP_ROWS });
    group = columns.map(() => []);
  };
  /** What has been encoded so far, taken out of the buffer; the position in the file stays. */
  const taken = () => {
    const piece = bytes.getBytes().slice();
    bytes.index = 0;
    return piece;
  };
  for (const { run, trace } of traces()) {
    for (let i = 0; i < trace.round.length; i++) {
      for (const [c, column] of columns.entries()) {
        const value = column.value(run, trace, i);
        group[c]!.push(column.type === "integer" && value !== null ? BigInt(value) : value);
      }
      if (group[0]!.length === GROUP_ROWS) {
        encode();
        yield taken();
      }
    }
  }
  encode();
  writer.finish();
  yield taken();
}
