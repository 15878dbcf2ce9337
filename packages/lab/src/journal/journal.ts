import { closeSync, fdatasyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { RunResult } from "../run/runResult.js";

/** The size of the blocks in which a journal is read, because it may be larger than a buffer can be. */
const BLOCK_BYTES = 1 << 24;
/** If the last flush is longer ago than this, an append flushes the file to the disk. */
const FLUSH_MS = 1000;

/**
 * The append-only record of the runs that ended, one line of JSON each. If a process dies in the middle of a line, or a machine loses what was not
 * flushed, the tail does not parse. The tail is then cut off, and those runs are played again.
 */
export class Journal {
  readonly #file: number;
  #flushed = performance.now();

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens or creates the journal; returns its results by id. */
  static open(path: string): { journal: Journal; results: Map<string, RunResult> } {
    const file = openSync(path, "a+");
    const { results, length } = parse(file);
    ftruncateSync(file, length);
    return { journal: new Journal(file), results };
  }

  /** Reads the results of a journal without opening it for writing. */
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
    if (performance.now() - this.#flushed >= FLUSH_MS) this.#flush();
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

/** The results up to the first incomplete line, and their length in bytes. */
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

/** The complete lines of a file, without their line ends. */
function* lines(file: number): Iterable<Buffer> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let begun: Buffer[] = [];
  for (let position = 0; ; ) {
    const size = readSync(file, block, 0, BLOCK_BYTES, position);
    if (size === 0) return;
    position += size;
    let start = 0;
    for (let end = block.indexOf(10); end >= 0 && end < size; end = block.indexOf(10, start)) {
      yield Buffer.concat([...begun, block.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    // A copy, because the next read overwrites the block.
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
