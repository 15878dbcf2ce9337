import type { Run } from "../../document/run.js";
import type { ChunkData } from "../queue/chunk.js";
import type { FleetQueues } from "../queue/fleetQueues.js";

/** A chunk as the queue has it, where anybody may have put anything. */
export interface StoredChunk {
  readonly data: unknown;
  readonly returnvalue: unknown;
  readonly processedBy?: string | undefined;
  readonly failedReason: unknown;
}

/** Undefined if it is not in the queue. */
export async function storedChunk(chunks: FleetQueues["chunks"], id: string): Promise<StoredChunk | undefined> {
  try {
    return await chunks.getJob(id);
  } catch (error) {
    // BullMQ parses what is stored there as JSON.
    if (error instanceof SyntaxError) return { data: undefined, returnvalue: undefined, failedReason: "it is not JSON" };
    throw error;
  }
}

/** What it asks for of the experiment with that hash; no runs if it is none of its chunks. */
export function dataIn(stored: StoredChunk | undefined, hash: string): ChunkData {
  const data = stored?.data as Partial<ChunkData> | null | undefined;
  const isChunk = data?.hash === hash && Array.isArray(data.runs) && data.runs.every((run: Partial<Run> | null) => typeof run?.id === "string");
  return isChunk ? (data as ChunkData) : { hash, runs: [] };
}

/** Whether two runs are the same in everything that is played. */
export function isSameRun(a: Run, b: Run): boolean {
  return spelled(a) === spelled(b);
}

function spelled({ id, environment, policy, seed, sweep }: Run): string {
  return JSON.stringify([id, environment, policy, seed, sweep?.path, sweep?.value]);
}
