/** A growing list of numbers. */
export class Samples {
  #values = new Float64Array(8);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(x: number): void {
    if (this.#size === this.#values.length) {
      const grown = new Float64Array(2 * this.#size);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#size++] = x;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  /** A view of the first `count` numbers, valid until the next push. */
  first(count: number): Float64Array {
    return this.#values.subarray(0, count);
  }
}
