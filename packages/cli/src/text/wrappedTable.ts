import Table from "cli-table3";

/** Without a terminal, a table is so many characters wide. */
const WIDTH = 120;
/** However narrow the terminal is, the last column has so many characters. */
const NARROWEST = 40;

/** A table of texts. The last column is wrapped so that the table fits the terminal. */
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
