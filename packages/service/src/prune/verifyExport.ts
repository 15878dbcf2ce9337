import { createReadStream } from "node:fs";
import { Audit } from "../audit/audit.js";
import { isHeader, readHeader, readLine } from "../log/logText.js";
import { readLines } from "../log/readLines.js";
import { chained, type ReadEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { LogPart } from "./exportLogs.js";

/** Follows a log from one event to the next. */
interface Follower {
  seq: number;
  hash: string;
  take(row: ReadEvent): string | null;
}

/**
 * Reads an export back. Every event must be there and chained to the one before it, up to the very hash that the store has; a log that begins with its first
 * event is recomputed too. Throws ERR_PRUNE if anything is not so.
 */
export async function verifyExport(file: string, parts: readonly LogPart[], onProgress: (events: number) => void): Promise<void> {
  const found = new Map<string, Follower>();
  let current: Follower | undefined;
  let line = 0;
  let events = 0;
  for await (const lines of readLines({ name: file, bytes: createReadStream(file) })) {
    for (const text of lines) {
      line++;
      if (isHeader(text)) {
        const header = readHeader(text, line);
        current = header.after === 0 ? recomputing(new Audit(header)) : chaining(header.after, header.before);
        found.set(header.name, current);
        continue;
      }
      const wrong = current!.take(readLine(text, line, current!.hash));
      if (wrong !== null) throw refusal(file, wrong);
      events++;
    }
    onProgress(events);
  }
  for (const { row, upTo, hash } of parts) {
    const end = found.get(row.name);
    if (end?.seq !== upTo || end.hash !== hash)
      throw refusal(file, `the log of ${row.name} ends with event ${end?.seq ?? "none"} instead of ${upTo}`);
  }
}

function recomputing(audit: Audit): Follower {
  const { state } = audit.bandit;
  return {
    get seq() {
      return state.seq;
    },
    get hash() {
      return state.hash;
    },
    take: (row) => (audit.takeOne(row) ? null : audit.result.differs!.message),
  };
}

function chaining(seq: number, hash: string): Follower {
  return {
    seq,
    hash,
    take(row) {
      if (row.seq !== this.seq + 1 || chained(this.hash, row) !== row.hash) return `event ${this.seq + 1} is not as it was written`;
      this.seq = row.seq;
      this.hash = row.hash;
      return null;
    },
  };
}

function refusal(file: string, message: string): ServiceError {
  return new ServiceError("ERR_PRUNE", `${file} does not hold the log as it must be, so nothing was pruned: ${message}`);
}
