import { Failure } from "../text/failure.js";

/** The cells of one line of CSV (RFC 4180, without line breaks inside cells), trimmed. */
export function csvCells(line: string): string[] {
  if (!line.includes('"')) return line.split(",").map((cell) => cell.trim());
  const cells: string[] = [];
  const cell = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;
  for (let comma = ","; comma === ","; ) {
    const match = cell.exec(line);
    if (match === null) throw new Failure("ERR_DATA", "a quote is misplaced or not closed");
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2]!.trim());
    comma = match[3]!;
  }
  return cells;
}
