import { closeSync, fdatasyncSync, ftruncateSync, openSync, statSync, truncateSync, writeSync } from "node:fs";
import type { FrozenExperiment } from "../document/experiment.js";
import type { RunResult } from "../run/runResult.js";
import type { OnStage } from "../run/stages.js";
import { journalHead } from "./journalHead.js";
import { type Place, readPlace, type Scan, scanJournal } from "./scanJournal.js";
import { seal } from "./seal.js";
import { StoredResults } from "./storedResults.js";
import { writeFile } from "./writeFile.js";

/** If the last flush is longer ago than this, an append flushes the file to the disk. */
const FLUSH_MS = 1000;
const LINE_END = Buffer.from("\n");

/**
 * The record of the runs that ended, one line each. If a process dies in the middle of a line, or a machine loses what was not flushed, that tail is cut off
 * when the journal is opened again, and damaged lines are taken out. The runs in question are played again.
 */
export class Journal extends StoredResults {
  #file: number;
  #length: number;
  #flushed = performance.now();

  private constructor(path: string, frozen: FrozenExperiment, scan: Omit<Scan, "places">, places: Map<string, Place>) {
    super(path, frozen, scan, places);
    this.#file = openSync(path, "a");
    this.#length = statSync(path).size;
  }

  /** Opens or creates a journal. */
  static open(path: string, frozen: FrozenExperiment, onStage?: OnStage): Journal {
    const file = openSync(path, "a+");
    try {
      const { places, ...scan } = scanJournal(file, frozen, path, onStage);
      // The lines that count are the first, and one for each run.
      if (scan.damage.length > 0 || scan.lines !== 1 + places.size) rewrite(path, frozen, places);
      else truncateSync(path, scan.length);
      return new Journal(path, frozen, scan, places);
    } finally {
      closeSync(file);
    }
  }

  append(result: RunResult): void {
    const line = Buffer.concat([seal(this.frozen.hash, JSON.stringify(result)), LINE_END]);
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written);
    } catch (error) {
      // A disk that is full may have taken a part of the line, which would spoil the next one.
      ftruncateSync(this.#file, this.#length);
      throw error;
    }
    this.places.set(result.id, { offset: this.#length, length: line.length - 1, line: this.size + 2, status: result.status });
    this.#length += line.length;
    if (performance.now() - this.#flushed >= FLUSH_MS) this.#flush();
  }

  /** Takes results out, all of them or, if the process dies, none. */
  remove(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.places.delete(id);
    this.#flush();
    this.closeReads();
    rewrite(this.path, this.frozen, this.places);
    closeSync(this.#file);
    this.#file = openSync(this.path, "a");
    this.#length = statSync(this.path).size;
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    fdatasyncSync(this.#file);
    this.#flushed = performance.now();
  }
}

/** Writes a journal again with nothing but its first line and the lines at some places, which move. */
function rewrite(path: string, frozen: FrozenExperiment, places: Map<string, Place>): void {
  const head = journalHead(frozen);
  const file = openSync(path, "r");
  try {
    writeFile(path, linesAt(file, head, places));
  } finally {
    closeSync(file);
  }
  let offset = head.length + 1;
  let line = 1;
  for (const [id, place] of places) {
    places.set(id, { ...place, offset, line: ++line });
    offset += place.length + 1;
  }
}

function* linesAt(file: number, head: Buffer, places: Map<string, Place>): Generator<Buffer> {
  yield Buffer.concat([head, LINE_END]);
  for (const place of places.values()) yield Buffer.concat([readPlace(file, place), LINE_END]);
}
