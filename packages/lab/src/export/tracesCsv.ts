import { csvLine } from "./csv.js";
import type { TraceTable } from "./traces.js";

/** The table as CSV (RFC 4180), in pieces: its header, then one piece per run. Numbers have enough digits to restore the same double. */
export function* tracesCsv({ columns, traces }: TraceTable): Generator<string, void> {
  yield csvLine(columns.map(({ name }) => name));
  for (const { run, trace } of traces()) {
    yield trace.round.map((_, i) => csvLine(columns.map((column) => column.value(run, trace, i)))).join("");
  }
}
