import { type FileHandle, mkdir, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";

const NAMES = /^decisions-.*\.jsonl$/;

/**
 * A folder of files with lines, each file at most so large and at most so many of them, those of earlier routers included: the oldest ones are deleted. A file is never
 * renamed or written to again, so a crash or an error can cut only the last line of one, and several routers can share a folder.
 */
export class LogFiles {
  #file: FileHandle | null = null;
  #path = "";
  #bytes = 0;
  #begun = 0;

  constructor(
    readonly folder: string,
    readonly run: string,
    readonly maxFileBytes: number,
    readonly maxFiles: number,
  ) {}

  /** Appends lines, each with its line break. Returns how many were written, and why not all of them; what comes next then goes into a new file. */
  async append(lines: readonly string[]): Promise<{ readonly written: number; readonly error: Error | null }> {
    let written = 0;
    try {
      while (written < lines.length) written = await this.#appendSome(lines, written);
      return { written, error: null };
    } catch (error) {
      return { written, error: error as Error };
    }
  }

  /** Appends the lines from `next` on that fit into the file, or into the next one, and returns which comes after them. */
  async #appendSome(lines: readonly string[], next: number): Promise<number> {
    let bytes = Buffer.byteLength(lines[next]!);
    if (this.#file !== null && this.#bytes + bytes > this.maxFileBytes) await this.close();
    let end = next + 1;
    for (; end < lines.length; end++) {
      const more = Buffer.byteLength(lines[end]!);
      if (this.#bytes + bytes + more > this.maxFileBytes) break;
      bytes += more;
    }
    await this.#write(lines.slice(next, end).join(""));
    this.#bytes += bytes;
    return end;
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    this.#bytes = 0;
    await file?.close();
  }

  async #write(text: string): Promise<void> {
    try {
      this.#file ??= await this.#open();
      await this.#file.appendFile(text);
    } catch (error) {
      const isEmpty = this.#file !== null && this.#bytes === 0;
      await this.close().catch(() => {});
      if (isEmpty) await unlink(this.#path).catch(() => {});
      throw error;
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.folder, { recursive: true });
    const names = (await readdir(this.folder)).filter((name) => NAMES.test(name)).sort();
    for (const name of names.slice(0, Math.max(0, names.length - this.maxFiles + 1))) await unlink(join(this.folder, name));
    // Names sort by the time at which their files were begun.
    const time = new Date().toISOString().replace(/[-:.]/g, "");
    this.#path = join(this.folder, `decisions-${time}-${this.run}-${String(++this.#begun).padStart(6, "0")}.jsonl`);
    return open(this.#path, "ax");
  }
}
