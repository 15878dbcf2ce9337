import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { ColumnType, TraceTable } from "./traces.js";

/** The number of rows encoded at a time, so that only the bytes of the file grow with the table. */
const GROUP_ROWS = 100_000;

const TYPES = { text: "STRING", integer: "INT64", number: "DOUBLE" } as const satisfies Record<ColumnType, unknown>;

/** The table as a Parquet file. The same table gives the same bytes: the file contains no time and nothing about the machine. */
export function tracesParquet({ columns, runs }: TraceTable, metadata: Readonly<Record<string, string>> = {}): Uint8Array {
  const bytes = new ByteWriter();
  const sources = (): ColumnSource[] => columns.map(({ name, type, nullable }) => ({ name, type: TYPES[type], nullable, data: [] }));
  const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  const writer = new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData: sources() }), kvMetadata });
  let group: unknown[][] = columns.map(() => []);
  const flush = () => {
    if (group[0]!.length === 0) return;
    writer.write({ columnData: sources().map((source, i) => ({ ...source, data: group[i]! })), rowGroupSize: GROUP_ROWS });
    group = columns.map(() => []);
  };
  for (const { run, trace } of runs) {
    for (let i = 0; i < trace.round.length; i++) {
      for (const [c, column] of columns.entries()) {
        const value = column.value(run, trace, i);
        group[c]!.push(column.type === "integer" && value !== null ? BigInt(value) : value);
      }
      if (group[0]!.length === GROUP_ROWS) flush();
    }
  }
  flush();
  writer.finish();
  return bytes.getBytes();
}
