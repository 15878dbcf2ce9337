import { Failure, shortened } from "../text/failure.js";
import { cellsOf, type Separator, separatorOf } from "./cells.js";
import { isNumeric } from "./isNumeric.js";
import { LONGEST_LINE } from "./lines.js";
import { type Feedback, type Observation, observation, readObservation, unknownKey, wanted } from "./observation.js";

/** A first line with the cell arm. In JSON lines, the word is followed by a colon. */
const HEADER = /(?:^|[,\t])\s*"?arm"?\s*(?:[,\t]|$)/;

/**
 * Reads the lines of a log in order: each an object such as `{"arm":2,"loss":0.37}`, or cells below a first line that names the columns arm and loss, for
 * which it returns undefined.
 */
export function observationReader(feedback: Feedback): (line: string) => Observation | undefined {
  let read: ((line: string) => Observation) | undefined;
  return (line) => {
    if (line.length > LONGEST_LINE) throw new Failure("ERR_JSON", `longer than ${LONGEST_LINE} characters; ${wanted(feedback)}`);
    if (read !== undefined) return read(line);
    if (HEADER.test(line)) {
      read = cellReader(line, feedback);
      return undefined;
    }
    read = (text) => readObservation(text, feedback);
    return read(line);
  };
}

function cellReader(header: string, feedback: Feedback): (line: string) => Observation {
  const separator: Separator = separatorOf(header);
  const columns = cellsOf(header, separator);
  const other = feedback === "loss" ? "reward" : "loss";
  if (columns.includes(other)) throw unknownKey(other, feedback);
  const [arm, value] = [columns.indexOf("arm"), columns.indexOf(feedback)];
  if (columns.length !== 2 || value < 0)
    throw new Failure("ERR_DATA", `the columns must be arm and ${feedback}, got ${shortened(columns.join(", "))}`);
  return (line) => {
    const cells = cellsOf(line, separator);
    if (cells.length !== 2) throw new Failure("ERR_DATA", `${cells.length} ${cells.length === 1 ? "cell" : "cells"} below a header of 2`);
    return observation(numberIn(cells[arm]!), numberIn(cells[value]!), feedback);
  };
}

/** A cell that is no number stays text, which the policy refuses by name. */
function numberIn(cell: string): number | string {
  return isNumeric(cell) ? Number(cell) : cell;
}
