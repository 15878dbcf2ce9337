/** A binary heap of numbers, each with a key; the smallest key is on top. */
export class Heap {
  readonly #keys: number[] = [];
  readonly #values: number[] = [];

  get size(): number {
    return this.#keys.length;
  }

  /** The smallest key; Infinity if the heap is empty. */
  get topKey(): number {
    return this.#keys.length === 0 ? Infinity : this.#keys[0]!;
  }

  push(key: number, value: number): void {
    this.#keys.push(key);
    this.#values.push(value);
    this.#rise(this.#keys.length - 1, key, value);
  }

  /** Removes and returns the number with the smallest key; the heap must not be empty. */
  pop(): number {
    const top = this.#values[0]!;
    const key = this.#keys.pop()!;
    const value = this.#values.pop()!;
    if (this.#keys.length > 0) this.#sink(key, value);
    return top;
  }

  #rise(at: number, key: number, value: number): void {
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.#keys[parent]! <= key) break;
      this.#place(at, this.#keys[parent]!, this.#values[parent]!);
      at = parent;
    }
    this.#place(at, key, value);
  }

  #sink(key: number, value: number): void {
    const size = this.#keys.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#keys[child + 1]! < this.#keys[child]!) child++;
      if (this.#keys[child]! >= key) break;
      this.#place(at, this.#keys[child]!, this.#values[child]!);
      at = child;
    }
    this.#place(at, key, value);
  }

  #place(at: number, key: number, value: number): void {
    this.#keys[at] = key;
    this.#values[at] = value;
  }
}
