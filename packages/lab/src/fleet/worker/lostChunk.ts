/** How BullMQ begins its errors about a job that another worker has by now, or that is gone; on both engines alike. */
const LOST =
  /^(?:(?:could not renew lock|Missing key|Missing lock|Lock mismatch) for job ([\w-]+)(?:\.|$)|Job ([\w-]+) is not in the active state\b)/;

/** The id of the chunk that an error of BullMQ's calls lost; undefined for any other error. */
export function lostChunk(message: string): string | undefined {
  const [, lost, finished] = LOST.exec(message) ?? [];
  return lost ?? finished;
}
