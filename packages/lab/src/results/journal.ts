import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { RunResult } from "../run/runResult.js";

/** After so many milliseconds without one, an append is followed by a flush to the disk. */
const FLUSH = 1000;

/**
 * The append-only record of the runs that ended, one line of JSON each. A process that dies in the middle of a line, or a machine that loses what
 * was not flushed, leaves a tail that does not parse: it is cut off, and those runs are played again.
 */
export class Journal {
  readonly #file: number;
  #flushed = performance.now();

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens or creates the journal; returns what it already holds, by id. */
  static open(path: string): { journal: Journal; results: Map<string, RunResult> } {
    const file = openSync(path, "a+");
    const { results, length } = parse(readFileSync(path));
    ftruncateSync(file, length);
    return { journal: new Journal(file), results };
  }

  /** What a journal holds, for whoever only reads it. */
  static read(path: string): Map<string, RunResult> {
    return parse(readFileSync(path)).results;
  }

  append(result: RunResult): void {
    const line = Buffer.from(`${JSON.stringify(result)}\n`);
    for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written);
    if (performance.now() - this.#flushed >= FLUSH) this.#flush();
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

/** The results up to the first line that is not whole, and how many bytes they take. */
function parse(bytes: Buffer): { results: Map<string, RunResult>; length: number } {
  const results = new Map<string, RunResult>();
  let length = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, length)) {
    const result = resultIn(bytes.toString("utf8", length, end));
    if (result === undefined) break;
    results.set(result.id, result);
    length = end + 1;
  }
  return { results, length };
}

function resultIn(line: string): RunResult | undefined {
  try {
    const value = JSON.parse(line) as RunResult;
    const whole =
      typeof value.id === "string" &&
      (value.status === "completed" ? typeof value.trace === "object" && value.trace !== null : value.status === "failed");
    return whole ? value : undefined;
  } catch {
    return undefined;
  }
}
