import { stripVTControlCharacters } from "node:util";

/** The widths of a table's columns, padding included, so that it fits. Of the columns that may be wrapped, the widest shrinks first; none shrinks below its longest word. */
export function columnWidths(rows: readonly (readonly string[])[], wrapped: readonly number[], room: number): number[] {
  const widest = (column: number, separator: RegExp) =>
    2 + Math.max(...rows.flatMap((row) => stripVTControlCharacters(row[column]!).split(separator)).map(({ length }) => length));
  const widths = rows[0]!.map((_, column) => widest(column, /\n/));
  const least = new Map(wrapped.map((column) => [column, widest(column, /\s/)]));
  for (let excess = widths.reduce((sum, width) => sum + width + 1, 1) - room; excess > 0; excess--) {
    const [column] = wrapped.filter((each) => widths[each]! > least.get(each)!).sort((a, b) => widths[b]! - widths[a]!);
    if (column === undefined) break;
    widths[column]!--;
  }
  return widths;
}
