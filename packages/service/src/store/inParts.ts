import type { ReadEvent } from "../log/storedEvent.js";

/** Events that are read at once: a text of some megabytes, during which others wait some 20 ms. */
const PART = 10_000;

/** Reads up to `limit` events after `after`. What lies in a log does not change, so that parts that are read one after the other fit together. */
export async function inParts(
  after: number,
  limit: number,
  read: (after: number, limit: number) => Promise<readonly ReadEvent[]>,
): Promise<ReadEvent[]> {
  const all: ReadEvent[] = [];
  for (let last = after; ; ) {
    const part = Math.min(PART, limit - all.length);
    const more = await read(last, part);
    for (const event of more) all.push(event);
    if (more.length < part || all.length >= limit) return all;
    last = more.at(-1)!.seq;
  }
}
