import { stripVTControlCharacters } from "node:util";
import Table from "cli-table3";

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

/** A table for a terminal that is too narrow for it: a line for each cell, with the title of its column, and an empty line between the rows. */
function rowByRow(head: readonly string[], rows: readonly (readonly string[])[], room: number): string {
  const titles = head.map((title) => title.replaceAll("\n", " "));
  const indent = 2 + Math.max(...titles.map(({ length }) => length));
  const cell = (text: string, i: number) => {
    const lines = text.split("\n").flatMap((line) => wrapped(line, room - indent));
    return lines.map((line, at) => `${(at === 0 ? titles[i]! : "").padEnd(indent)}${line}\n`).join("");
  };
  return rows.map((row) => row.map(cell).join("")).join("\n");
}

/** A line broken between words; a word that is too long stays whole. */
function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)!} ${word}`;
    if (lines.length > 0 && stripVTControlCharacters(longer).length <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
