import { readFileSync, realpathSync, renameSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { takeLock } from "./fileLock.js";
import type { Ledger } from "./ledger.js";
import { RouterError } from "./routerError.js";
import type { StateOptions } from "./routerOptions.js";
import { adoptSnapshot, takeSnapshot } from "./routerSnapshot.js";
import { decodeSnapshot, encodeSnapshot } from "./snapshotText.js";

/** The status of the state file. */
export interface StateStatus {
  readonly file: string;
  /** When this router last wrote the file, ISO 8601; null if it has not written yet. */
  readonly written: string | null;
  /** Why the last attempt to write failed; null if it succeeded. */
  readonly error: string | null;
}

/**
 * Keeps a ledger in a file that no other router may use. It reads the file at once, and writes it when closed and, while there are changes, at
 * intervals.
 */
export class StateKeeper {
  readonly #ledger: Ledger;
  readonly #path: string;
  readonly #release: () => void;
  readonly #timer: NodeJS.Timeout;
  #revision: number;
  #writing: Promise<void> = Promise.resolve();
  #written: string | null = null;
  #error: string | null = null;

  constructor(ledger: Ledger, { file, interval, damaged }: Required<StateOptions>) {
    this.#ledger = ledger;
    try {
      // The path with its real folder, so that two names of one file share one lock.
      this.#path = join(realpathSync(dirname(file)), basename(file));
      this.#release = takeLock(`${this.#path}.lock`);
    } catch (error) {
      throw error instanceof RouterError ? error : unwritable(file, error as Error);
    }
    try {
      this.#read(damaged);
    } catch (error) {
      this.#release();
      throw error;
    }
    this.#revision = ledger.revision;
    this.#timer = setInterval(() => this.#save().catch(() => {}), 1000 * interval).unref();
  }

  status(): StateStatus {
    return { file: this.#path, written: this.#written, error: this.#error };
  }

  /** Writes unsaved changes and releases the file. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#save();
    } finally {
      this.#release();
    }
  }

  #read(damaged: "refuse" | "fresh"): void {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    try {
      adoptSnapshot(this.#ledger, decodeSnapshot(text));
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      if (damaged === "fresh" && error.code === "ERR_STATE") {
        renameSync(this.#path, `${this.#path}.${new Date().toISOString().replaceAll(":", "-")}.aside`);
        return;
      }
      const remedy = error.code === "ERR_STATE" ? '; restore it from a backup, move it away, or start fresh with state.damaged: "fresh"' : "";
      throw new RouterError(error.code, error.parameter, error.value, `${this.#path}: ${error.message}${remedy}`, { cause: error });
    }
  }

  /** Writes run one after the other. */
  #save(): Promise<void> {
    const saving = this.#writing.catch(() => {}).then(() => this.#write());
    this.#writing = saving;
    return saving;
  }

  async #write(): Promise<void> {
    const { revision } = this.#ledger;
    if (revision === this.#revision) return;
    try {
      const text = encodeSnapshot(takeSnapshot(this.#ledger));
      const beside = `${this.#path}.part`;
      const file = await open(beside, "w");
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, this.#path);
      this.#revision = revision;
      this.#written = new Date().toISOString();
      this.#error = null;
    } catch (error) {
      this.#error = (error as Error).message;
      throw unwritable(this.#path, error as Error);
    }
  }
}

function unwritable(file: string, cause: Error): RouterError {
  return new RouterError(
    "ERR_STATE_WRITE",
    "state.file",
    file,
    `state.file ${file} cannot be written: ${cause.message}; its folder must exist and be writable`,
    { cause },
  );
}
