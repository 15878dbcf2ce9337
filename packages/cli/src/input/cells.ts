import { Failure } from "../text/failure.js";

/** What stands between the cells of a table. */
export type Separator = "," | "\t";

const CELL = {
  ",": /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y,
  "\t": /[^\S\t]*(?:"((?:[^"]|"")*)"|([^"\t]*))[^\S\t]*(\t|$)/y,
};

/** A header with tabs and without commas begins a table with tabs (TSV); any other a table with commas (CSV). */
export function separatorOf(header: string): Separator {
  return header.includes("\t") && !header.includes(",") ? "\t" : ",";
}

/** The cells of one line of CSV (RFC 4180, without line breaks inside cells), or of the same with tabs, trimmed. */
export function cellsOf(line: string, separator: Separator): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  const cell = new RegExp(CELL[separator]);
  for (let more = true; more; ) {
    const match = cell.exec(line);
    if (match === null) throw new Failure("ERR_DATA", "a quote is misplaced or not closed");
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2]!.trim());
    more = match[3] !== "";
  }
  return cells;
}

/** Whether a cell is a number in decimal notation: Number() would take 0x10 and Infinity too. */
export function isNumeric(cell: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(cell);
}
