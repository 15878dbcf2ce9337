import { type Place, readPlace } from "./scanJournal.js";

/** How much is read at once where lines follow each other. */
const BLOCK_BYTES = 1 << 16;

/** Reads lines of a file. Most are asked for in about the order in which they stand there, so a line near the last one is read together with what follows it. */
export class LineReader {
  readonly #file: number;
  /** A single one for all reads: thousands of them would take longer to allocate than to fill. */
  #room = Buffer.allocUnsafe(BLOCK_BYTES);
  #block: Buffer = Buffer.alloc(0);
  #offset = 0;

  constructor(file: number) {
    this.#file = file;
  }

  /** The bytes of a line, valid until the next one is read; fewer if the file has become shorter. They may be those of an earlier moment. */
  read({ offset, length }: Pick<Place, "offset" | "length">): Buffer {
    const distance = offset - this.#offset;
    if (distance < 0 || distance + length > this.#block.length) {
      const near = Math.abs(distance) < BLOCK_BYTES;
      if (length > this.#room.length) this.#room = Buffer.allocUnsafe(length);
      this.#block = readPlace(this.#file, { offset, length: near ? this.#room.length : length }, this.#room);
      this.#offset = offset;
    }
    return this.#block.subarray(offset - this.#offset, offset - this.#offset + length);
  }
}
