import Table from "cli-table3";

/** A table as text, first column to the left and the others to the right, without colours. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column === 0 ? "left" : "right")),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push([...row]);
  return `${table.toString()}\n`;
}
