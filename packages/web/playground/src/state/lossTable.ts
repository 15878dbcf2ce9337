import { LARGEST_LOSS } from "tsallis";
import { MOST } from "../engine/race.js";

/** A table of losses travels to every worker at once; a longer one is for the command line. */
export const MOST_LOSSES = 60_000;
const LONGEST_NAME = 24;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The losses of a file, and the names of its columns: those of its first line, or the arms' numbers. */
export interface LossTable {
  readonly names: readonly string[];
  /** All losses of each arm: a race needs a loss in every column, advice does not. */
  readonly columns: readonly (readonly number[])[];
  /** The rows that every column has. */
  readonly losses: number[][];
  /** How many rows there are, with those that have empty cells. */
  readonly rows: number;
}

/**
 * Reads a file of losses: one row for each round, one column for each arm, separated by commas, semicolons or tabs. Its first line may have the names of the
 * arms. As for `tsallis advise`, cells may be empty, and blank lines are skipped. Throws a sentence with the line that is wrong.
 */
export function lossTable(text: string): LossTable {
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
  // Two columns of one name are two arms.
  const names = first.map((name, arm) =>
    heading === 1 && name !== "" && first.indexOf(name) === arm ? name.slice(0, LONGEST_NAME) : `arm ${arm + 1}`,
  );
  const rows = lines.slice(heading).flatMap((line, row) => {
    if (line.trim() === "") return [];
    const place = `line ${row + heading + 1}`;
    const fields = fieldsOf(line);
    if (fields.length !== first.length) throw new Error(`${place}: ${columns(fields.length)}, and the first line has ${first.length}`);
    const cells = fields.map((field, column) => {
      if (field === "") return null;
      if (!NUMBER.test(field)) throw new Error(`${place}, column ${column + 1}: ${JSON.stringify(field.slice(0, 40))} is not a number`);
      // Never -0: the experiment that is saved could not say it, and would have another run hash.
      const loss = Number(field) + 0;
      if (Math.abs(loss) <= LARGEST_LOSS) return loss;
      throw new Error(`${place}, column ${column + 1}: ${field.slice(0, 40)} is beyond ${LARGEST_LOSS}, the largest loss`);
    });
    return [cells];
  });
  return tableOf(names, rows);
}

/** A table of rows in which null is an empty cell. */
export function tableOf(names: readonly string[], rows: readonly (readonly (number | null)[])[]): LossTable {
  const columns = names.map((_, arm) => rows.flatMap((row) => row[arm] ?? []));
  const losses = rows.filter((row): row is number[] => row.every((loss) => loss !== null));
  if (losses.length === 0) throw new Error("no row has a loss in every column, and a race needs one: tsallis advise does not");
  return { names, columns, losses, rows: rows.length };
}

function columns(count: number): string {
  return count === 1 ? "1 column" : `${count} columns`;
}

const MOST_POINTS = 200;

/** The sizes of losses and the share that is larger than each, for a logarithmic chart: every size of the tail, and of the rest some. */
export function tailPoints(losses: readonly number[]): (readonly [size: number, share: number])[] {
  const sizes = losses.map(Math.abs).sort((a, b) => a - b);
  const step = Math.max(1, Math.floor(sizes.length / MOST_POINTS));
  return sizes.flatMap((size, i) => {
    const larger = sizes.length - 1 - i;
    const isShown = larger > 0 && size > 0 && size !== sizes[i + 1] && (i % step === 0 || larger < MOST_POINTS / 2);
    return isShown ? [[size, larger / sizes.length] as const] : [];
  });
}
