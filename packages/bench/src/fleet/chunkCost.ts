import { freezeExperiment, type RunResult, runsOf } from "@tsallis/lab";
import { queueExecutor } from "@tsallis/lab/fleet";
import { labExperiment } from "../lab/labExperiment.js";
import { type PlayedChunk, withWorkers } from "./benchWorkers.js";

/** The cost of a chunk of the size that the coordinator settles on. */
export interface ChunkCost {
  readonly runs: number;
  /** The time from the end of one chunk to the end of the next. */
  readonly seconds: number;
  /** The share of that time in which no run was played. */
  readonly share: number;
  /** The size of a run's result in the queue. */
  readonly bytesPerRun: number;
}

/** A chunk counts as settled if it has at least this share of the runs of the largest one. */
const NEARLY = 0.75;

/** Has runs played by one worker with one thread. It takes chunks in the order of the runs, so the number of runs in each chunk tells which runs these are. */
export async function chunkCost(url: string, { rounds, runs }: { rounds: number; runs: number }, signal: AbortSignal): Promise<ChunkCost> {
  const frozen = freezeExperiment(labExperiment(rounds, runs));
  const played = runsOf(frozen.experiment);
  const results = new Map<string, RunResult>();
  const listener = {
    onRounds() {},
    onResult(result: RunResult) {
      results.set(result.id, result);
    },
  };
  const chunks = await withWorkers(url, { workers: 1, concurrency: 1 }, signal, async (workers) => {
    await queueExecutor(url).execute(frozen, played, listener, signal);
    return workers.chunks;
  });
  const seconds = played.map(({ id }) => results.get(id)!.seconds);
  // A result travels as a line of JSON inside a JSON string.
  const bytes = [...results.values()].reduce((sum, result) => sum + JSON.stringify(JSON.stringify(result)).length, 0);
  return { ...settled(chunks, seconds), bytesPerRun: bytes / runs };
}

/** The mean over the chunks that are nearly as large as the largest. The first and the last chunks are small. */
export function settled(chunks: readonly PlayedChunk[], seconds: readonly number[]): Omit<ChunkCost, "bytesPerRun"> {
  const largest = Math.max(...chunks.slice(1).map(({ runs }) => runs));
  const sum = { chunks: 0, runs: 0, seconds: 0, playing: 0 };
  let begin = 0;
  for (const [i, { time, runs }] of chunks.entries()) {
    if (i > 0 && runs >= NEARLY * largest) {
      sum.chunks++;
      sum.runs += runs;
      sum.seconds += (time - chunks[i - 1]!.time) / 1000;
      for (const each of seconds.slice(begin, begin + runs)) sum.playing += each;
    }
    begin += runs;
  }
  return { runs: sum.runs / sum.chunks, seconds: sum.seconds / sum.chunks, share: 1 - sum.playing / sum.seconds };
}
