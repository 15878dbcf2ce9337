/**
 * FNV-1a, 64 bits (Fowler, Noll and Vo; RFC 9923), over the arm (32 bits) and the loss (64 bits) of every round, the least significant byte first: two runs with
 * the same run hash have played the same arms and met the same losses, to the last bit. It is kept as two words of 32 bits, because BigInt would be too slow.
 */
export class RunHash {
  readonly #double = new Float64Array(1);
  readonly #words = new Uint32Array(this.#double.buffer);
  #high = 0xcbf29ce4 | 0;
  #low = 0x84222325 | 0;

  add(arm: number, loss: number): void {
    this.#double[0] = loss;
    this.#word(arm);
    // Every engine that we know of runs on machines that put the low word first.
    this.#word(this.#words[0]!);
    this.#word(this.#words[1]!);
  }

  #word(word: number): void {
    let high = this.#high;
    let low = this.#low;
    for (let shift = 0; shift < 32; shift += 8) {
      low ^= (word >>> shift) & 0xff;
      // The prime is 2^40 + 0x1b3. The product of the low word is split at 16 bits, so that no double is needed.
      const bottom = (low & 0xffff) * 0x1b3;
      const top = (low >>> 16) * 0x1b3 + (bottom >>> 16);
      high = (Math.imul(high, 0x1b3) + (top >>> 16) + (low << 8)) | 0;
      low = (top << 16) | (bottom & 0xffff);
    }
    this.#high = high;
    this.#low = low;
  }

  /** 16 hexadecimal digits. */
  digest(): string {
    return [this.#high, this.#low].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
