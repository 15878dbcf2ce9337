import type { LogEvent } from "../log/event.js";
import { isHeader, type LogHeader, readHeader, readLine } from "../log/logText.js";
import { type LogFile, readLines } from "../log/readLines.js";
import { eventOf, fromRow, genesis, type NewBandit, type ReadEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { Store, StoredBandit } from "../store/store.js";

/** Some events of one bandit's log, in order. @internal */
export interface LogPart {
  readonly bandit: LoggedBandit;
  readonly events: readonly LogEvent[];
}

/** A bandit as it was created. @internal */
export interface LoggedBandit {
  readonly name: string;
  /** Its document, as it was completed then. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** Which logs are read, and how. @internal */
export interface ReadEventsOptions {
  /** Only this one. */
  readonly bandit?: string | undefined;
  /** Whether the hash of every event is checked, so that a changed line is noticed. True if left out. */
  readonly chain?: boolean;
  /** Logs in files, in their order; a file may repeat the end of the one before it. */
  readonly files?: readonly LogFile[];
  /** A store that has logs, or goes on with those of the files. */
  readonly store?: Store;
}

const CHUNK = 10_000;

/**
 * The events of logs, from the first on, without recomputing any decision: what `auditFiles` and `auditStore` read. An event that was changed, or is missing, is an error (ERR_REPLAY)
 * when it is reached; what cannot be read is another (ERR_LOG).
 *
 * @internal
 */
export async function* readEvents({ bandit, chain = true, files = [], store }: ReadEventsOptions): AsyncGenerator<LogPart> {
  const logs = new Map<string, Log>();
  for (const file of files) yield* fileEvents(file, logs, bandit, chain);
  if (store !== undefined) yield* storeEvents(store, logs, bandit, chain);
  if (logs.size > 0 || (bandit === undefined && store !== undefined)) return;
  throw new ServiceError("ERR_UNKNOWN_BANDIT", `there is no log of ${bandit}`, { parameter: "bandit" });
}

async function* fileEvents(file: LogFile, logs: Map<string, Log>, wanted: string | undefined, chain: boolean): AsyncGenerator<LogPart> {
  let line = 0;
  /** The log that the lines are of; null if it was not asked for. */
  let log: Log | null | undefined;
  try {
    for await (const lines of readLines(file)) {
      let events: LogEvent[] = [];
      for (const text of lines) {
        line++;
        if (text === "" || text.trim() === "") continue;
        if (isHeader(text) || log === undefined) {
          if (log && events.length > 0) yield { bandit: log.bandit, events };
          events = [];
          log = begun(logs, readHeader(text, line), wanted);
        } else if (log !== null) {
          const event = log.take(readLine(text, line, log.hash), chain);
          if (event !== null) events.push(event);
        }
      }
      if (log && events.length > 0) yield { bandit: log.bandit, events };
    }
    if (log === undefined) throw new ServiceError("ERR_LOG", "it is empty; a log begins with a line about its bandit");
  } catch (error) {
    throw error instanceof ServiceError && error.code === "ERR_LOG"
      ? new ServiceError("ERR_LOG", `${file.name}: ${error.message}`, { cause: error })
      : error;
  }
}

function begun(logs: Map<string, Log>, header: LogHeader, wanted: string | undefined): Log | null {
  const { name, after, before } = header;
  if (wanted !== undefined && name !== wanted) return null;
  const known = logs.get(name);
  if (known === undefined) {
    if (after !== 0) throw new ServiceError("ERR_LOG", `the log of ${name} begins after event ${after}; give the file that ends there first`);
    const log = new Log(header);
    logs.set(name, log);
    return log;
  }
  if (known.genesis !== genesis(header)) throw new ServiceError("ERR_LOG", `there are two bandits with the name ${name}; read their logs one by one`);
  if (after > known.seq || (after === known.seq && before !== (after === 0 ? "" : known.hash))) {
    const message = `the log of ${name} goes on after event ${after} (hash ${before}), and the file before it ended with event ${known.seq} (hash ${known.hash}); give the files in their order, with none left out`;
    throw new ServiceError("ERR_LOG", message);
  }
  return known;
}

async function* storeEvents(store: Store, logs: Map<string, Log>, wanted: string | undefined, chain: boolean): AsyncGenerator<LogPart> {
  const rows = (await store.bandits()).filter(({ name }) => wanted === undefined || name === wanted).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const row of rows) {
    const log = continued(row, logs.get(row.name));
    logs.set(row.name, log);
    while (log.seq < row.seq) {
      const read = await store.events(row.id, log.seq, Math.min(CHUNK, row.seq - log.seq));
      if (read.length === 0) throw new ServiceError("ERR_REPLAY", `event ${log.seq + 1} is missing: the log must go on to event ${row.seq}`);
      const events = read.map((each) => log.take(each, chain)!);
      yield { bandit: log.bandit, events };
    }
    if (row.seq === 0) yield { bandit: log.bandit, events: [] };
  }
}

/** Where the store goes on with a log. */
function continued(row: StoredBandit, known: Log | undefined): Log {
  if (known !== undefined && known.genesis !== genesis(row)) {
    throw new ServiceError("ERR_LOG", `the ${row.name} of the files is another bandit than that of the store`);
  }
  const log = known ?? new Log(row);
  if (log.seq >= row.prunedSeq) return log;
  const message = `the first ${row.prunedSeq} events of ${row.name} were pruned; give the files that prune wrote, in order, before the store`;
  throw new ServiceError("ERR_LOG", message);
}

/** The event of a row whose hash is not checked. */
function unchecked(row: ReadEvent): LogEvent {
  try {
    return eventOf(row);
  } catch {
    throw new ServiceError("ERR_REPLAY", `event ${row.seq} is not as it was written: its content is not JSON`);
  }
}

/** Where the reading of a log is. */
class Log {
  readonly bandit: LoggedBandit;
  readonly genesis: string;
  seq = 0;
  hash: string;

  constructor(created: NewBandit) {
    this.genesis = genesis(created);
    this.hash = this.genesis;
    try {
      this.bandit = { name: created.name, document: JSON.parse(created.document) as LoggedBandit["document"] };
    } catch {
      throw new ServiceError("ERR_LOG", `the document of ${created.name} is not JSON`);
    }
  }

  /** The event of a row; null if it was read before. */
  take(row: ReadEvent, chain: boolean): LogEvent | null {
    const { seq, hash } = row;
    if (seq <= this.seq) {
      if (seq < this.seq || hash === this.hash) return null;
      throw new ServiceError(
        "ERR_LOG",
        `event ${seq} of ${this.bandit.name} has the hash ${this.hash} in an earlier file, and here ${hash}: these are two logs`,
      );
    }
    if (seq !== this.seq + 1) throw new ServiceError("ERR_REPLAY", `event ${this.seq + 1} is missing: event ${seq} stands in its place`);
    if (chain && seq > 1 && row.before !== this.hash) {
      throw new ServiceError("ERR_REPLAY", `event ${seq} follows an event with the hash ${row.before}, and the one before it has ${this.hash}`);
    }
    const event = chain ? fromRow(row, this.genesis) : unchecked(row);
    this.seq = seq;
    this.hash = hash;
    return event;
  }
}
