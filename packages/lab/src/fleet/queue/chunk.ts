import { createHash } from "node:crypto";
import type { Run } from "../../document/run.js";
import type { RunResult } from "../../run/runResult.js";

/** The work that a worker is asked to do. */
export interface ChunkData {
  /** The hash of the experiment. */
  readonly hash: string;
  readonly runs: readonly Run[];
}

export interface ChunkResult {
  /** One line of JSON per run, as in the journal: a string keeps the same bits on every engine. */
  readonly lines: string;
  /** The rounds played in each run. */
  readonly rounds: readonly number[];
}

/** A run of a chunk that has ended, and how many rounds it took. */
export interface PlayedRun {
  readonly result: RunResult;
  readonly rounds: number;
}

/** The number of hexadecimal digits of an experiment's hash with which the ids of its chunks begin. */
const HASH_DIGITS = 16;

export function chunkPrefix(hash: string): string {
  return `${hash.slice(0, HASH_DIGITS)}-`;
}

/** The same runs of the same experiment have the same id, so adding them twice changes nothing. */
export function chunkId({ hash, runs }: ChunkData): string {
  const ids = createHash("sha256").update(JSON.stringify(runs.map(({ id }) => id)));
  return `${chunkPrefix(hash)}${ids.digest("hex").slice(0, 32)}`;
}

export function packResults(results: readonly PlayedRun[]): ChunkResult {
  return { lines: results.map(({ result }) => JSON.stringify(result)).join("\n"), rounds: results.map(({ rounds }) => rounds) };
}

export function unpackResults({ lines, rounds }: ChunkResult): PlayedRun[] {
  return lines.split("\n").map((line, i) => ({ result: JSON.parse(line) as RunResult, rounds: rounds[i]! }));
}
