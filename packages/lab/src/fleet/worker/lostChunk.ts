/** How BullMQ's errors begin when another worker has taken the job or the job is gone; the same on both engines. */
const LOST =
  /^(?:(?:could not renew lock|Missing key|Missing lock|Lock mismatch) for job ([\w-]+)(?:\.|$)|Job ([\w-]+) is not in the active state\b)/;

/** The id of the chunk that an error of BullMQ reports as lost; undefined for any other error. */
export function lostChunk(message: string): string | undefined {
  const [, lost, finished] = LOST.exec(message) ?? [];
  return lost ?? finished;
}
