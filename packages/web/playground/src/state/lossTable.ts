import { LARGEST_LOSS } from "tsallis";
import { MOST } from "../engine/race.js";

/** A table of losses travels to every worker at once; a longer one is for the command line. */
export const MOST_LOSSES = 60_000;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads a file of losses: one row for each round, one column for each arm, separated by commas, semicolons or tabs. Names of the arms in the first line are
 * passed over. Throws a sentence with the line that is wrong.
 */
export function lossTable(text: string): number[][] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  while (lines.at(-1)?.trim() === "") lines.pop();
  if (lines.length === 0) throw new Error("the file is empty");
  const separator = ["\t", ";"].find((candidate) => lines[0]!.includes(candidate)) ?? ",";
  const fieldsOf = (line: string) => line.split(separator).map((field) => field.trim().replace(/^"(.*)"$/, "$1"));
  const first = fieldsOf(lines[0]!);
  const heading = first.some((field) => NUMBER.test(field)) ? 0 : 1;
  if (first.length > MOST.arms) throw new Error(`line 1: ${first.length} columns, and here are at most ${MOST.arms} arms`);
  if (lines.length === heading) throw new Error("the file has a line of names and no losses");
  const losses = (lines.length - heading) * first.length;
  if (losses > MOST_LOSSES) throw new Error(`the file has ${losses} losses, and here are at most ${MOST_LOSSES}: tsallis run takes longer ones`);
  return lines.slice(heading).map((line, row) => {
    const place = `line ${row + heading + 1}`;
    const fields = fieldsOf(line);
    if (fields.length !== first.length) throw new Error(`${place}: ${columns(fields.length)}, and the first line has ${first.length}`);
    return fields.map((field, column) => {
      if (!NUMBER.test(field)) throw new Error(`${place}, column ${column + 1}: ${JSON.stringify(field.slice(0, 40))} is no number`);
      // Never -0: the experiment that is saved could not say it, and would have another run hash.
      const loss = Number(field) + 0;
      if (Math.abs(loss) <= LARGEST_LOSS) return loss;
      throw new Error(`${place}, column ${column + 1}: ${field.slice(0, 40)} is beyond ${LARGEST_LOSS}, the largest loss`);
    });
  });
}

function columns(count: number): string {
  return count === 1 ? "1 column" : `${count} columns`;
}
