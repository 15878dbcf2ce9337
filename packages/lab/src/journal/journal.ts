import { closeSync, fdatasyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { RunResult } from "../run/runResult.js";

/** A journal is read by so many bytes at a time: it may be larger than what a buffer holds. */
const BLOCK = 1 << 24;
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
    const { results, length } = parse(file);
    ftruncateSync(file, length);
    return { journal: new Journal(file), results };
  }

  /** What a journal holds, for whoever only reads it. */
  static read(path: string): Map<string, RunResult> {
    const file = openSync(path, "r");
    try {
      return parse(file).results;
    } finally {
      closeSync(file);
    }
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
function parse(file: number): { results: Map<string, RunResult>; length: number } {
  const results = new Map<string, RunResult>();
  let length = 0;
  for (const line of lines(file)) {
    const result = resultIn(line.toString("utf8"));
    if (result === undefined) break;
    results.set(result.id, result);
    length += line.length + 1;
  }
  return { results, length };
}

/** The lines of a file that are ended, without their ends. */
function* lines(file: number): Iterable<Buffer> {
  const block = Buffer.allocUnsafe(BLOCK);
  let begun: Buffer[] = [];
  for (let position = 0; ; ) {
    const size = readSync(file, block, 0, BLOCK, position);
    if (size === 0) return;
    position += size;
    let start = 0;
    for (let end = block.indexOf(10); end >= 0 && end < size; end = block.indexOf(10, start)) {
      yield Buffer.concat([...begun, block.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    // A copy: the block is read into again.
    begun.push(Buffer.from(block.subarray(start, size)));
  }
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
