import { LARGEST_LOSS } from "tsallis";
import { Failure, shortened } from "../text/failure.js";
import { cellsOf, isNumeric, type Separator, separatorOf } from "./cells.js";
import { LONGEST_LINE } from "./inputLines.js";
import { parseObject } from "./parseObject.js";

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

/** One line of a log: which arm was played, and the loss that followed. The values are unchecked: the policy refuses invalid arms and losses. */
interface Observation {
  arm: number;
  loss: number;
}

/** What an observation says of the arm that was played: its loss, or its reward, which is minus the loss. */
type Feedback = "loss" | "reward";

/** Reads a log line such as `{"arm":2,"loss":0.37}`; with rewards it is `{"arm":2,"reward":1.5}`, which becomes the loss -1.5. */
function readObservation(line: string, feedback: Feedback): Observation {
  const record = parseObject(line, wanted(feedback));
  for (const key in record) {
    if (key !== "arm" && key !== feedback) throw unknownKey(key, feedback);
  }
  for (const key of ["arm", feedback]) {
    if (!Object.hasOwn(record, key)) throw new Failure("ERR_MISSING", `${key} is missing; ${wanted(feedback)}`);
  }
  return observation(record.arm, record[feedback], feedback);
}

/** The observation with this arm and this loss, or reward. */
function observation(arm: unknown, value: unknown, feedback: Feedback): Observation {
  if (feedback === "loss") return { arm: arm as number, loss: value as number };
  if (!(typeof value === "number" && Math.abs(value) <= LARGEST_LOSS)) {
    throw new Failure("ERR_LOSS", `reward must be a number of size at most 1e300, got ${typeof value === "number" ? value : JSON.stringify(value)}`);
  }
  return { arm: arm as number, loss: 0 - value };
}

/** The error for a key that is not read. */
function unknownKey(key: string, feedback: Feedback): Failure {
  if (key === "loss") return new Failure("ERR_UNKNOWN_KEY", 'unknown key "loss"; with --reward each line holds a reward, so leave --reward out');
  if (key === "reward") return new Failure("ERR_UNKNOWN_KEY", 'unknown key "reward"; give --reward to read rewards, or give losses as "loss"');
  return new Failure("ERR_UNKNOWN_KEY", `unknown key ${shortened(key)}; keep only the keys that are read: jq -c '{arm, ${feedback}}'`);
}

/** What a line must look like. */
function wanted(feedback: Feedback): string {
  return `each line must be an object such as {"arm":2,"${feedback}":0.37}`;
}
