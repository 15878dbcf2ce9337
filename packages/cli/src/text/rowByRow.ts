import { stripVTControlCharacters } from "node:util";

/** A table for a terminal that is too narrow for it: a line for each cell, with the title of its column, and an empty line between the rows. */
export function rowByRow(head: readonly string[], rows: readonly (readonly string[])[], room: number): string {
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
