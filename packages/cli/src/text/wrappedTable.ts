import Table from "cli-table3";

/** The width of a table without a terminal, in characters. */
const WIDTH = 120;
/** The least width of the last column, in characters, however narrow the terminal is. */
const NARROWEST = 40;

/** A table of text. The last column is wrapped so that the table fits the terminal. */
export function wrappedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => 2 + Math.max(...[title, ...rows.map((row) => row[column]!)].map(widest)));
  const last = widths.pop()!;
  const rest = (process.stdout.columns ?? WIDTH) - widths.reduce((sum, width) => sum + width + 1, 2);
  const table = new Table({
    head: [...head],
    colWidths: [...widths, Math.min(last, Math.max(rest, NARROWEST))],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const row of rows) table.push([...row]);
  return `${table.toString()}\n`;
}

function widest(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}
