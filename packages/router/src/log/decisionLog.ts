import { randomBytes } from "node:crypto";
import { LogFiles } from "./logFiles.js";

/** Lines wait for at most this long before they are written, in milliseconds. */
const WAIT_MS = 200;
/** Lines of more characters than this do not wait for a disk that is too slow: they are dropped. */
const MOST_WAITING = 1_000_000;

/** Where every decision of a router is written. */
export interface LogOptions {
  /** Several routers can share one. */
  readonly folder: string;
  /** The size at which the next file is begun. Default: 16 777 216. */
  readonly maxFileBytes?: number;
  /** How many files are kept, those of earlier routers included. Default: 16. */
  readonly maxFiles?: number;
}

/** The status of a log. */
export interface LogStatus {
  readonly folder: string;
  /** How many lines this router has written. */
  readonly written: number;
  /** How many were lost because they could not be written, or not fast enough. */
  readonly dropped: number;
  /** Why the last attempt to write failed; null if it succeeded. */
  readonly error: string | null;
}

/** A decision that has not ended. */
export interface Decision {
  /** Milliseconds since 1970, later than those of all decisions before. */
  readonly time: number;
  readonly sequence: number;
}

/** What is written about a decision when it has ended. */
export interface LoggedDecision extends Decision {
  readonly route: string;
  readonly upstream: string;
  readonly probability: number | null;
  /** Null if it is missing. */
  readonly loss: number | null;
  readonly outcome: string;
  readonly seconds: number;
  /** Null for the first attempt at a request. */
  readonly as: string | null;
}

/** Writes one line of JSON for each decision, in the order in which they end. It never makes anybody wait: what cannot be written is dropped and counted. */
export class DecisionLog {
  /** Different for every router, so that ids are too. */
  readonly #run = Date.now().toString(36) + randomBytes(3).toString("hex");
  readonly #files: LogFiles;
  readonly #unit: string;
  #lines: string[] = [];
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #sequence = 0;
  #time = 0;
  #written = 0;
  #dropped = 0;
  #error: string | null = null;

  constructor({ folder, maxFileBytes, maxFiles }: Required<LogOptions>, inSeconds: boolean) {
    this.#files = new LogFiles(folder, this.#run, maxFileBytes, maxFiles);
    this.#unit = inSeconds ? '"s"' : "null";
  }

  /** The next decision. */
  decide(): Decision {
    // Microseconds, so that the order of times is that of the decisions.
    this.#time = Math.max(this.#time + 0.001, performance.timeOrigin + performance.now());
    return { time: this.#time, sequence: ++this.#sequence };
  }

  add({ time, sequence, route, upstream, probability, loss, outcome, seconds, as }: LoggedDecision): void {
    const kind = as === null ? "" : `,"as":"${as}"`;
    const line = `{"time":${time.toFixed(3)},"id":"${this.#run}-${sequence}","route":${JSON.stringify(route)},"upstream":${JSON.stringify(upstream)},"probability":${probability},"loss":${loss},"unit":${this.#unit},"outcome":"${outcome}","seconds":${seconds}${kind}}\n`;
    if (this.#waiting + line.length > MOST_WAITING) {
      this.#dropped++;
      return;
    }
    this.#lines.push(line);
    this.#waiting += line.length;
    // The process lives on until the lines are written.
    if (this.#writing === null) this.#timer ??= setTimeout(() => this.#begin(), WAIT_MS);
  }

  status(): LogStatus {
    return { folder: this.#files.folder, written: this.#written, dropped: this.#dropped, error: this.#error };
  }

  /** Writes the lines that wait, and ends the file. */
  async close(): Promise<void> {
    do await (this.#writing ?? this.#begin());
    while (this.#lines.length > 0);
    await this.#files.close().catch(() => {});
  }

  #begin(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#write().finally(() => {
      this.#writing = null;
      if (this.#lines.length > 0) this.#timer ??= setTimeout(() => this.#begin(), WAIT_MS);
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    const before = this.#waiting;
    const { written, error } = await this.#files.append(lines);
    this.#written += written;
    this.#dropped += lines.length - written;
    this.#error = error === null ? null : error.message;
    this.#waiting -= before;
  }
}
