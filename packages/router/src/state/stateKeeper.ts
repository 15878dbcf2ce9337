import { readFileSync, realpathSync, renameSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { RouterModel } from "../model/routerModel.js";
import { RouterError } from "../routerError.js";
import { takeLock } from "./fileLock.js";
import { adoptSnapshot, takeSnapshot } from "./routerSnapshot.js";
import { decodeSnapshot, encodeSnapshot } from "./snapshotText.js";

/** Where what was learned is kept between two starts. */
export interface StateOptions {
  readonly file: string;
  /** Milliseconds between two writes. Default: 10 000. */
  readonly intervalMs?: number;
  /** What to do with a file that is damaged: refuse it, or move it aside and start fresh. Default: "refuse". */
  readonly damaged?: "refuse" | "fresh";
}

/** The status of the state file. */
export interface StateStatus {
  readonly file: string;
  /** When this router last wrote the file, ISO 8601; null if it has not written yet. */
  readonly written: string | null;
  /** Why the last attempt to write failed; null if it succeeded. */
  readonly error: string | null;
}

/**
 * Keeps a model in a file that no other router may use. It reads the file at once, and writes it when closed and, while there are changes, at
 * intervals.
 */
export class StateKeeper {
  readonly #model: RouterModel;
  readonly #path: string;
  readonly #release: () => void;
  readonly #timer: NodeJS.Timeout;
  #revision: number;
  #writing: Promise<void> = Promise.resolve();
  #written: string | null = null;
  #error: string | null = null;

  constructor(model: RouterModel, { file, intervalMs, damaged }: Required<StateOptions>) {
    this.#model = model;
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
    this.#revision = model.revision;
    this.#timer = setInterval(() => this.#save().catch(() => {}), intervalMs).unref();
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
      adoptSnapshot(this.#model, decodeSnapshot(text));
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
    const { revision } = this.#model;
    if (revision === this.#revision) return;
    try {
      const text = encodeSnapshot(takeSnapshot(this.#model));
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
