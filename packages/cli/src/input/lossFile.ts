import { LARGEST_LOSS } from "tsallis";
import type { ArmLosses } from "tsallis/statistics";
import { at, Failure, shortened } from "../text/failure.js";
import { cellsOf, isNumeric, type Separator, separatorOf } from "./cells.js";
import { inputBytes, inputName, isBlank, LONGEST_LINE, lineBatches } from "./inputLines.js";

const WANTED = "the first line must name the columns: one per arm, or arm and loss";

/** Reads the cells of one line after the header. */
type Reader = (cells: readonly string[]) => void;

/** Reads losses from CSV or TSV, with the arms in the order in which the file names them. Blank lines are skipped, but they count in line numbers. */
export async function readLosses(file: string, signal: AbortSignal): Promise<ArmLosses[]> {
  const arms = new Map<string, number[]>();
  let separator: Separator | undefined;
  let read: Reader | undefined;
  let number = 0;
  for await (const lines of lineBatches(inputBytes(file, signal, "losses as CSV or TSV"))) {
    try {
      for (const line of lines) {
        number++;
        if (isBlank(line)) continue;
        if (line.length > LONGEST_LINE) throw new Failure("ERR_DATA", `longer than ${LONGEST_LINE} characters`);
        separator ??= separatorOf(line);
        const cells = cellsOf(line, separator);
        if (read === undefined) read = readerOf(cells, arms);
        else read(cells);
      }
    } catch (error) {
      throw at(`line ${number}`, error);
    }
  }
  if (read === undefined) throw new Failure("ERR_DATA", `empty; ${WANTED}`, inputName(file));
  return [...arms].map(([name, losses]) => ({ name, losses: Float64Array.from(losses) }));
}

function readerOf(header: readonly string[], arms: Map<string, number[]>): Reader {
  const [arm, loss] = [header.indexOf("arm"), header.indexOf("loss")];
  if (arm >= 0 && loss >= 0) {
    if (header.length > 2) throw new Failure("ERR_DATA", "only the columns arm and loss are read; remove the others");
    return longReader(arm, loss, arms);
  }
  if (header.every(isNumeric)) throw new Failure("ERR_DATA", `only numbers; ${WANTED}`);
  if (header.length < 2) throw new Failure("ERR_DATA", `only one column, ${shortened(header[0]!)}; ${WANTED}, with commas or tabs between them`);
  for (const name of header) {
    requireName(name);
    if (arms.has(name)) throw new Failure("ERR_DATA", `two columns are named ${shortened(name)}; each arm has one column`);
    arms.set(name, []);
  }
  return wideReader([...arms.values()]);
}

/** Columns arm and loss. */
function longReader(arm: number, loss: number, arms: Map<string, number[]>): Reader {
  return (cells) => {
    requireCells(cells, 2);
    const name = cells[arm]!;
    let losses = arms.get(name);
    if (losses === undefined) {
      requireName(name);
      losses = [];
      arms.set(name, losses);
    }
    losses.push(lossOf(cells[loss]!, "loss"));
  };
}

/** One column per arm; a cell may be empty. */
function wideReader(columns: readonly number[][]): Reader {
  return (cells) => {
    requireCells(cells, columns.length);
    for (const [i, cell] of cells.entries()) if (cell !== "") columns[i]!.push(lossOf(cell, `the loss in column ${i + 1}`));
  };
}

function requireCells({ length }: readonly string[], columns: number): void {
  if (length !== columns) throw new Failure("ERR_DATA", `${length} ${length === 1 ? "cell" : "cells"} below a header of ${columns}`);
}

function requireName(name: string): void {
  if (name === "" || /\p{Cc}/u.test(name)) throw new Failure("ERR_DATA", `an arm must have a printable name, got ${shortened(name)}`);
}

function lossOf(cell: string, what: string): number {
  const loss = isNumeric(cell) ? Number(cell) : Number.NaN;
  if (!(Math.abs(loss) <= LARGEST_LOSS)) throw new Failure("ERR_LOSS", `${what} must be a number of size at most 1e300, got ${shortened(cell)}`);
  return loss;
}
