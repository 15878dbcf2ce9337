import { stripVTControlCharacters } from "node:util";
import Table from "cli-table3";
import { brokenLine } from "./prose.js";

interface Narrowing {
  /** Columns of words, which are wrapped between words. */
  readonly wrapped?: readonly number[];
  /** Columns that can be left out, the least important first. */
  readonly dropped?: readonly number[];
}

/**
 * A table as text without colours, with the first column aligned left and the others right. On a terminal that is too narrow, columns of words are wrapped; if that is
 * not enough, columns are left out, and a line names them; only then has each cell a line of its own.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[], { wrapped = [], dropped = [] }: Narrowing = {}): string {
  const room = process.stdout.columns ?? Infinity;
  for (let count = 0; count <= dropped.length; count++) {
    const left = dropped.slice(0, count);
    const kept = head.map((_, column) => column).filter((column) => !left.includes(column));
    const pick = (row: readonly string[]) => kept.map((column) => row[column]!);
    const words = wrapped.flatMap((column) => (left.includes(column) ? [] : [kept.indexOf(column)]));
    const text = tableText(pick(head), rows.map(pick), words, room);
    if (text.indexOf("\n") <= room) return text + leftOut(head.filter((_, column) => left.includes(column)));
  }
  return rowByRow(head, rows, room);
}

function tableText(head: readonly string[], rows: readonly (readonly string[])[], wrapped: readonly number[], room: number): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column === 0 ? "left" : "right")),
    ...(wrapped.length > 0 && { colWidths: columnWidths([head, ...rows], wrapped, room), wordWrap: true }),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push([...row]);
  return `${table.toString()}\n`;
}

function leftOut(titles: readonly string[]): string {
  return titles.length === 0 ? "" : `Not shown, for lack of width: ${titles.map((title) => title.replaceAll("\n", " ")).join(", ")}.\n`;
}

/** The width of a table without a terminal, in characters. */
const WIDTH = 120;
/** The least width of the last column, in characters. */
const NARROWEST = 40;

/**
 * A table of text. The last column is wrapped so that the table fits the terminal. If little room is left for it, the columns in `dropped` are left out, the first one
 * first; if that is not enough, each cell has a line of its own.
 */
export function wrappedTable(head: readonly string[], rows: readonly (readonly string[])[], dropped: readonly number[] = []): string {
  const room = process.stdout.columns ?? WIDTH;
  const all = head.map((title, column) => 2 + Math.max(...[title, ...rows.map((row) => row[column]!)].map(widest)));
  for (let count = 0; count <= dropped.length; count++) {
    const left = dropped.slice(0, count);
    const pick = <Cell>(row: readonly Cell[]) => row.filter((_, column) => !left.includes(column));
    const widths = pick(all);
    const last = widths.pop()!;
    const rest = room - widths.reduce((sum, width) => sum + width + 1, 2);
    if (rest < Math.min(last, NARROWEST)) continue;
    const table = new Table({ head: pick(head), colWidths: [...widths, Math.min(last, rest)], wordWrap: true, style: { head: [], border: [] } });
    for (const row of rows) table.push(pick(row));
    return `${table.toString()}\n${leftOut(head.filter((_, column) => left.includes(column)))}`;
  }
  return rowByRow(head, rows, room);
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
    const lines = text.split("\n").flatMap((line) => brokenLine(line, room - indent));
    return lines.map((line, at) => `${(at === 0 ? titles[i]! : "").padEnd(indent)}${line}\n`).join("");
  };
  return rows.map((row) => row.map(cell).join("")).join("\n");
}
