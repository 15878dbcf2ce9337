import Table from "cli-table3";
import { columnWidths } from "./columnWidths.js";
import { rowByRow } from "./rowByRow.js";

/**
 * A table as text without colours, with the first column aligned left and the others right. On a terminal that is too narrow, the columns in `wrapped` are wrapped
 * between words; if that is not enough, each cell has a line of its own.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[], wrapped: readonly number[] = []): string {
  const room = process.stdout.columns ?? Infinity;
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column === 0 ? "left" : "right")),
    ...(wrapped.length > 0 && { colWidths: columnWidths([head, ...rows], wrapped, room), wordWrap: true }),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push([...row]);
  const text = `${table.toString()}\n`;
  return text.indexOf("\n") <= room ? text : rowByRow(head, rows, room);
}
