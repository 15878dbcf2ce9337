import type { ChunkData } from "../queue/chunk.js";

/** The work in a job. Anybody who reaches the queue may have put something else there. */
export function requireChunk(data: unknown): ChunkData {
  const { hash, runs } = (data ?? {}) as Readonly<Record<string, unknown>>;
  const isHash = typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
  if (isHash && Array.isArray(runs) && runs.length > 0 && runs.every(isRun)) return { hash, runs };
  throw new Error("it is not a chunk of an experiment: a hash and runs with an id, an environment, a policy, a seed and a point of a sweep or null");
}

function isRun(run: unknown): boolean {
  const { id, environment, policy, seed, sweep } = (run ?? {}) as Readonly<Record<string, unknown>>;
  const texts = [id, environment, policy].every((text) => typeof text === "string");
  return texts && Number.isSafeInteger(seed) && (seed as number) >= 0 && (sweep === null || typeof sweep === "object");
}
