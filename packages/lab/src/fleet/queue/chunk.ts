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

/** A run of a chunk in a worker's answer, which may be anything. */
export interface Answer {
  readonly result: unknown;
  readonly rounds: unknown;
}

/** The answers for each of so many runs, in their order; null if the value is not such an answer. */
export function unpackResults(value: unknown, runs: number): Answer[] | null {
  const { lines, rounds } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof lines !== "string" || !Array.isArray(rounds) || rounds.length !== runs) return null;
  // One more than wanted at most, however long the text is.
  const results = lines.split("\n", runs + 1).map(parsed);
  return results.length === runs ? results.map((result, i) => ({ result, rounds: rounds[i] as unknown })) : null;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
