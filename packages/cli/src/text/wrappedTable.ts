import Table from "cli-table3";
import { rowByRow } from "./rowByRow.js";

/** The width of a table without a terminal, in characters. */
const WIDTH = 120;
/** The least width of the last column, in characters. */
const NARROWEST = 40;

/** A table of text. The last column is wrapped so that the table fits the terminal; if little room is left for it, each cell has a line of its own. */
export function wrappedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => 2 + Math.max(...[title, ...rows.map((row) => row[column]!)].map(widest)));
  const last = widths.pop()!;
  const room = process.stdout.columns ?? WIDTH;
  const rest = room - widths.reduce((sum, width) => sum + width + 1, 2);
  if (rest < Math.min(last, NARROWEST)) return rowByRow(head, rows, room);
  const table = new Table({
    head: [...head],
    colWidths: [...widths, Math.min(last, rest)],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const row of rows) table.push([...row]);
  return `${table.toString()}\n`;
}

function widest(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}
