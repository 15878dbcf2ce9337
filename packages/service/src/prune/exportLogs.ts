import { createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { eventText, headerText } from "../log/logText.js";
import { ServiceError } from "../serviceError.js";
import type { Store, StoredBandit } from "../store/store.js";

/** A part of a log: from where the store begins to an event. */
export interface LogPart {
  readonly row: StoredBandit;
  readonly upTo: number;
  readonly hash: string;
}

const CHUNK = 5_000;

/** Writes parts of logs into a new file, one after another, compressed if its name ends in .gz. When this resolves, the file is on the disk. */
export async function exportLogs(store: Store, parts: readonly LogPart[], file: string, onProgress: (events: number) => void): Promise<void> {
  let events = 0;
  async function* texts(): AsyncGenerator<string> {
    for (const { row, upTo } of parts) {
      yield headerText(row, row.prunedSeq, row.prunedHash);
      for (let after = row.prunedSeq; after < upTo; ) {
        const rows = await store.events(row.id, after, Math.min(CHUNK, upTo - after));
        if (rows.length === 0)
          throw new ServiceError("ERR_PRUNE", `event ${after + 1} of ${row.name} is not there any more: somebody else prunes the store`);
        yield rows.map(eventText).join("");
        after = rows.at(-1)!.seq;
        events += rows.length;
        onProgress(events);
      }
    }
  }
  const compression = file.endsWith(".gz") ? createGzip() : new PassThrough();
  let isOurs = false;
  const output = createWriteStream(file, { flags: "wx", flush: true }).once("open", () => {
    isOurs = true;
  });
  try {
    await pipeline(Readable.from(texts(), { objectMode: false }), compression, output);
    await syncFolder(dirname(file));
  } catch (error) {
    if (isOurs) await rm(file, { force: true });
    const { code, message } = error as { code?: unknown; message: string };
    if (code === "EEXIST")
      throw new ServiceError("ERR_PRUNE", `${file} exists already, and is not overwritten; name another file`, { parameter: "export" });
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("ERR_PRUNE", `${file} cannot be written: ${message}; nothing was pruned`, { parameter: "export", cause: error });
  }
}

/** The name of a new file is part of its folder. */
async function syncFolder(folder: string): Promise<void> {
  // Not every system can do it.
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
