/** FNV-1a, 64 bits (Fowler, Noll and Vo; RFC 9923), over the bytes of doubles. It is kept as two words of 32 bits, because BigInt would be too slow here. */
export class Fnv1a {
  #high = 0xcbf29ce4;
  #low = 0x84222325;
  #double = new Float64Array(1);
  #bytes = new Uint8Array(this.#double.buffer);

  /** @param {number} value */
  add(value) {
    // The engine decides which of its many bit patterns a NaN has.
    if (Number.isNaN(value)) throw new Error("NaN has no bits of its own");
    this.#double[0] = value;
    for (const byte of this.#bytes) {
      // The prime is 2^40 + 0x1b3.
      const low = (this.#low ^ byte) >>> 0;
      const product = low * 0x1b3;
      this.#low = product >>> 0;
      this.#high = (Math.imul(this.#high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    }
  }

  /** @returns {string} 16 hexadecimal digits */
  digest() {
    return [this.#high, this.#low].map((word) => word.toString(16).padStart(8, "0")).join("");
  }
}
