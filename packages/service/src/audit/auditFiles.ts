import { isHeader, type LogHeader, readHeader, readLine } from "../log/logText.js";
import { type LogFile, readLines } from "../log/readLines.js";
import { chained, genesis, type ReadEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { Head } from "../store/store.js";
import { Audit, type Audited } from "./audit.js";

/** What of the logs is audited. */
export interface AuditOptions {
  /** Only this one. */
  readonly bandit?: string | undefined;
  /** Hashes of events, kept elsewhere, to look for. */
  readonly heads?: readonly string[];
  /** Is told now and then how many events were looked at. */
  readonly onProgress?: (events: number) => void;
}

/**
 * Audits logs in files, in the order in which they are given. A file may hold the logs of several bandits, one after another, and a log may go on in a later
 * file, which may repeat the end of the earlier one: that is so after a prune that was interrupted. What cannot be read is an error (ERR_LOG); what is not as it must be is in the result.
 */
export async function auditFiles(files: readonly LogFile[], options: AuditOptions = {}): Promise<Audited[]> {
  const logs = await readAudits(files, options);
  if (logs.size === 0) throw new ServiceError("ERR_UNKNOWN_BANDIT", `the files have no log of ${options.bandit}`, { parameter: "bandit" });
  return [...logs.values()].map(({ audit }) => audit.result);
}

/** A log that files have, with the audit of its beginning. */
export interface FileLog {
  readonly audit: Audit;
  /** The last event that the files have. The audit may have ended before. */
  end: Head;
}

/**
 * Audits logs in files, by the names of their bandits. Events after those of `upTo` are only followed from one hash to the next: a store has them too, and there they
 * are audited.
 */
export async function readAudits(
  files: readonly LogFile[],
  { bandit, heads = [], onProgress }: AuditOptions,
  upTo?: ReadonlyMap<string, number>,
): Promise<Map<string, FileLog>> {
  const logs = new Map<string, FileLog>();
  let events = 0;
  for (const file of files) {
    let line = 0;
    /** The log that the lines are of; null if nobody asked for it. */
    let log: FileLog | null | undefined;
    /** The last event of this file while an earlier one has it too; null when the lines have come to the end of that. */
    let repeated: Head | null = null;
    const begin = (header: LogHeader) => {
      requireMet(log?.end, repeated);
      const { after, before } = header;
      log = begun(logs, header, bandit, heads);
      const isNew = log === null || log.audit.result.differs !== null || after >= log.end.seq;
      repeated = isNew ? null : { seq: after, hash: after === 0 ? genesis(header) : before };
    };
    const take = (text: string) => {
      line++;
      if (text.trim() === "") return;
      if (isHeader(text) || log === undefined) return begin(readHeader(text, line));
      if (log === null) return;
      const { audit, end } = log;
      const row = readLine(text, line, (repeated ?? end).hash);
      events++;
      if (audit.result.differs !== null) return;
      const { name, state } = audit.bandit;
      if (repeated !== null) {
        repeated = followed(name, repeated, row);
        if (repeated.seq < end.seq) return;
        requireMeeting(name, end, repeated);
        repeated = null;
      } else if (end.seq < (upTo?.get(name) ?? Number.POSITIVE_INFINITY)) {
        audit.takeOne(row);
        log.end = state.head;
      } else log.end = followed(name, end, row);
    };
    try {
      for await (const lines of readLines(file)) {
        for (const text of lines) take(text);
        onProgress?.(events);
      }
      requireMet(log?.end, repeated);
      if (log === undefined) throw new ServiceError("ERR_LOG", "it is empty; a log begins with a line about its bandit");
    } catch (error) {
      throw error instanceof ServiceError ? new ServiceError("ERR_LOG", `${file.name}: ${error.message}`, { cause: error }) : error;
    }
  }
  return logs;
}

/** The log that a header begins or goes on with. */
function begun(logs: Map<string, FileLog>, header: LogHeader, wanted: string | undefined, heads: readonly string[]): FileLog | null {
  const { name, after, before } = header;
  if (wanted !== undefined && name !== wanted) return null;
  const known = logs.get(name);
  if (known === undefined) {
    if (after !== 0) {
      const message = `the log of ${name} begins after event ${after}; give the file that ends there first, such as the one that prune wrote, or audit the store`;
      throw new ServiceError("ERR_LOG", message);
    }
    const audit = newAudit(header, heads);
    const log = { audit, end: audit.bandit.state.head };
    logs.set(name, log);
    return log;
  }
  const { audit, end } = known;
  if (audit.result.differs !== null) return known;
  const { seq, hash } = end;
  if (genesis(header) !== audit.bandit.genesis)
    throw new ServiceError("ERR_LOG", `there are two bandits with the name ${name}; audit their logs apart`);
  audit.forget();
  if (after < seq) return known;
  if (after !== seq || before !== (seq === 0 ? "" : hash)) {
    const message = `the log of ${name} goes on after event ${after} (hash ${before}), and the file before it ended with event ${seq} (hash ${hash}); give the files in their order, with none left out`;
    throw new ServiceError("ERR_LOG", message);
  }
  return known;
}

/** The event after `last`, if it is as it was written; it is not recomputed. */
function followed(name: string, last: Head, row: ReadEvent): Head {
  const { seq, hash } = row;
  const next = last.seq + 1;
  if (seq !== next) throw new ServiceError("ERR_LOG", `event ${next} of ${name} is missing: event ${seq} stands in its place`);
  const content = chained(last.hash, row);
  if (content !== hash)
    throw new ServiceError("ERR_LOG", `event ${seq} of ${name} is not as it was written: its hash is ${hash}, its content gives ${content}`);
  return { seq, hash };
}

/** Two files that have the same events have the same log, if the last of these is the same: its hash depends on all before it. */
function requireMeeting(name: string, earlier: Head, { seq, hash }: Head): void {
  if (hash === earlier.hash) return;
  const message = `event ${seq} of ${name} has the hash ${earlier.hash} in an earlier file, and here ${hash}: these are two logs`;
  throw new ServiceError("ERR_LOG", message);
}

function requireMet(end: Head | undefined, repeated: Head | null): void {
  if (repeated === null) return;
  throw new ServiceError("ERR_LOG", `an earlier file has all of it already, up to event ${end!.seq}; leave it out`);
}

function newAudit(header: LogHeader, heads: readonly string[]): Audit {
  try {
    return new Audit(header, heads);
  } catch (error) {
    throw new ServiceError("ERR_LOG", `the document of ${header.name} is not one of a bandit: ${(error as Error).message}`, { cause: error });
  }
}
