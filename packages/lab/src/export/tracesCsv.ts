import { csvLine } from "./csv.js";
import type { TraceTable } from "./traces.js";

/** The table as CSV (RFC 4180), in pieces: its header, then one piece per run. Numbers have enough digits to restore the same double. */
export function* tracesCsv({ columns, traces }: TraceTable): Generator<string, void> {
  yield csvLine(columns.map(({ name }) => name));
  for (const { run, trace } of traces()) {
    const ofRun = columns.map((column) => column.values(run, trace));
    yield trace.round.map((_, i) => csvLine(ofRun.map((values) => (typeof values === "object" && values !== null ? values[i]! : values)))).join("");
  }
}
