import { fstatSync, readSync } from "node:fs";
import type { FrozenExperiment } from "../document/experiment.js";
import type { Run } from "../document/run.js";
import { runsOf } from "../document/runs.js";
import { resultProblem } from "../run/resultProblem.js";
import type { RunResult } from "../run/runResult.js";
import type { OnStage } from "../run/stages.js";
import { isHead } from "./journalHead.js";
import { lines } from "./lines.js";
import { unseal } from "./seal.js";

/** Where a file holds the line of a run, without its line end, and what became of the run. */
export interface Place {
  readonly offset: number;
  readonly length: number;
  /** Counted from 1. */
  readonly line: number;
  readonly status: RunResult["status"];
}

/** A line of a journal that does not count. */
export interface Damage {
  /** Counted from 1. */
  readonly line: number;
  readonly problem: string;
}

export interface Scan {
  /** The runs whose results have not been checked yet, by their ids. */
  readonly unchecked: Map<string, Run>;
  readonly places: Map<string, Place>;
  readonly damage: readonly Damage[];
  /** The number of whole lines, and their length in bytes. */
  readonly lines: number;
  readonly length: number;
  /** Whether a line follows them that a process did not finish. */
  readonly unfinished: boolean;
}

/** The beginning of a line that holds a result, as `seal` and JSON.stringify write it. An id that JSON has to escape needs a scan. */
const BEGINNING = /^\{"sha256":"[0-9a-f]{32}","content":\{"id":"([^"\\]+)","status":"(completed|failed)",/;

/** No more of a line is looked at. A longer id needs a scan, too. */
const BEGINNING_BYTES = 1000;

/**
 * Finds the results in a journal by the beginnings of its lines, in a fifth of the time of a scan, and leaves it to the first read of a result to check it.
 * Null if anything is not as it should be: only a scan can say what.
 */
export function glanceAtJournal(file: number, frozen: FrozenExperiment, path: string, onStage?: OnStage): Scan | null {
  const size = fstatSync(file).size;
  const runs = runsById(frozen);
  const unchecked = new Map<string, Run>();
  const places = new Map<string, Place>();
  let line = 0;
  let offset = 0;
  for (const bytes of lines(file)) {
    onStage?.("reading the journal", offset / size);
    if (++line === 1) {
      if (!isHead(bytes, frozen, path)) return null;
    } else {
      const [, id, status] = BEGINNING.exec(bytes.toString("utf8", 0, BEGINNING_BYTES)) ?? [];
      const run = runs.get(id ?? "");
      if (run === undefined || places.has(run.id)) return null;
      // Not the id of the line, which would keep the whole beginning in memory.
      unchecked.set(run.id, run);
      places.set(run.id, { offset, length: bytes.length, line, status: status as Place["status"] });
    }
    offset += bytes.length + 1;
  }
  return { unchecked, places, damage: [], lines: line, length: offset, unfinished: fstatSync(file).size > offset };
}

function runsById({ experiment }: FrozenExperiment): Map<string, Run> {
  return new Map(runsOf(experiment).map((run) => [run.id, run]));
}

/** Reads a journal from its first line to its last, and finds out which of them hold the result of a run. */
export function scanJournal(file: number, frozen: FrozenExperiment, path: string, onStage?: OnStage): Scan {
  const size = fstatSync(file).size;
  const runs = runsById(frozen);
  const places = new Map<string, Place>();
  const contested = new Set<string>();
  const damage: Damage[] = [];
  let count = 0;
  let length = 0;
  for (const bytes of lines(file)) {
    const line = ++count;
    const offset = length;
    length += bytes.length + 1;
    onStage?.("reading the journal", length / size);
    if (line === 1) {
      if (!isHead(bytes, frozen, path)) damage.push({ line, problem: "it is not the first line of a journal" });
      // Where the first line is missing, the next has its place.
      else continue;
    }
    const value = unseal(frozen.hash, bytes);
    if (value === undefined) {
      if (line > 1) damage.push({ line, problem: "its checksum does not fit" });
      continue;
    }
    const run = runs.get((value as Partial<RunResult> | null)?.id ?? "");
    const problem = run === undefined ? "it is no result of a run of this experiment" : resultProblem(frozen.experiment, run, value);
    if (run === undefined || problem !== null) {
      damage.push({ line, problem: problem! });
      continue;
    }
    const { id, status } = value as RunResult;
    const earlier = places.get(id);
    if (earlier === undefined && !contested.has(id)) places.set(id, { offset, length: bytes.length, line, status });
    else if (earlier === undefined || !readPlace(file, earlier).equals(bytes)) {
      // Which of them is right, nobody can tell.
      const contradiction = `its result of ${id} contradicts another line`;
      if (earlier !== undefined) damage.push({ line: earlier.line, problem: contradiction });
      damage.push({ line, problem: contradiction });
      contested.add(id);
      places.delete(id);
    }
  }
  return { unchecked: new Map(), places, damage, lines: count, length, unfinished: fstatSync(file).size > length };
}

/** The bytes of a line; fewer if the file has become shorter. */
export function readPlace(file: number, { offset, length }: Pick<Place, "offset" | "length">, bytes = Buffer.allocUnsafe(length)): Buffer {
  let read = 0;
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, offset + read);
    if (more === 0) break;
    read += more;
  }
  return bytes.subarray(0, read);
}
