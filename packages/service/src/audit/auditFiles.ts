import { isHeader, type LogHeader, readHeader, readLine } from "../log/logText.js";
import { type LogFile, readLines } from "../log/readLines.js";
import { genesis, type ReadEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
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
  const audits = await readAudits(files, options);
  if (audits.size === 0) throw new ServiceError("ERR_UNKNOWN_BANDIT", `the files have no log of ${options.bandit}`, { parameter: "bandit" });
  return [...audits.values()].map(({ result }) => result);
}

/** The audits of logs in files, by the names of their bandits. */
export async function readAudits(files: readonly LogFile[], { bandit, heads = [], onProgress }: AuditOptions): Promise<Map<string, Audit>> {
  const audits = new Map<string, Audit>();
  let events = 0;
  for (const file of files) {
    let line = 0;
    /** The log that the lines are of; null if nobody asked for it. */
    let audit: Audit | null | undefined;
    /** The last event that an earlier file has too; 0 when the lines have come to it. */
    let repeated = 0;
    const begin = (header: LogHeader) => {
      requireMet(repeated);
      audit = begun(audits, header, bandit, heads);
      const known = audit === null || audit.result.differs !== null ? 0 : audit.bandit.state.seq;
      repeated = header.after < known ? known : 0;
    };
    const take = (text: string) => {
      line++;
      if (text.trim() === "") return;
      if (isHeader(text) || audit === undefined) return begin(readHeader(text, line));
      if (audit === null) return;
      const row = readLine(text, line, audit.bandit.state.hash);
      events++;
      if (repeated === 0) {
        audit.takeOne(row);
      } else if (row.seq >= repeated) {
        requireMeeting(audit, row);
        repeated = 0;
      }
    };
    try {
      for await (const lines of readLines(file)) {
        for (const text of lines) take(text);
        onProgress?.(events);
      }
      requireMet(repeated);
      if (audit === undefined) throw new ServiceError("ERR_LOG", "it is empty; a log begins with a line about its bandit");
    } catch (error) {
      throw error instanceof ServiceError ? new ServiceError("ERR_LOG", `${file.name}: ${error.message}`, { cause: error }) : error;
    }
  }
  return audits;
}

/** The audit that a header begins or goes on with. */
function begun(audits: Map<string, Audit>, header: LogHeader, wanted: string | undefined, heads: readonly string[]): Audit | null {
  const { name, after, before } = header;
  if (wanted !== undefined && name !== wanted) return null;
  const known = audits.get(name);
  if (known === undefined) {
    if (after !== 0) {
      const message = `the log of ${name} begins after event ${after}; give the file that ends there first, such as the one that prune wrote, or audit the store`;
      throw new ServiceError("ERR_LOG", message);
    }
    const audit = newAudit(header, heads);
    audits.set(name, audit);
    return audit;
  }
  const { result, bandit } = known;
  if (result.differs !== null) return known;
  const { seq, hash } = bandit.state;
  if (genesis(header) !== bandit.genesis) throw new ServiceError("ERR_LOG", `there are two bandits with the name ${name}; audit their logs apart`);
  known.forget();
  if (after < seq) return known;
  if (after !== seq || before !== (seq === 0 ? "" : hash)) {
    const message = `the log of ${name} goes on after event ${after} (hash ${before}), and the file before it ended with event ${seq} (hash ${hash}); give the files in their order, with none left out`;
    throw new ServiceError("ERR_LOG", message);
  }
  return known;
}

/** Two files that have the same events have the same log, if the last of these is the same: its hash depends on all before it. */
function requireMeeting({ bandit: { name, state } }: Audit, { seq, hash }: ReadEvent): void {
  if (seq === state.seq && hash === state.hash) return;
  const message = `event ${state.seq} of ${name} has the hash ${state.hash} in an earlier file, and here event ${seq} with the hash ${hash} stands in its place: these are two logs`;
  throw new ServiceError("ERR_LOG", message);
}

function requireMet(repeated: number): void {
  if (repeated > 0) throw new ServiceError("ERR_LOG", `an earlier file has all of it already, up to event ${repeated}; leave it out`);
}

function newAudit(header: LogHeader, heads: readonly string[]): Audit {
  try {
    return new Audit(header, heads);
  } catch (error) {
    throw new ServiceError("ERR_LOG", `the document of ${header.name} is not one of a bandit: ${(error as Error).message}`, { cause: error });
  }
}
