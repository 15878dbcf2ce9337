/** The last so many numbers. */
export class Recent {
  readonly #ring: Float64Array;
  #count = 0;
  /** Where the next number goes; the oldest one is there once the ring is full. */
  #next = 0;

  constructor(readonly capacity: number) {
    this.#ring = new Float64Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  /** The number that falls out, if one does. */
  push(value: number): number | undefined {
    const oldest = this.#count === this.capacity ? this.#ring[this.#next] : undefined;
    this.#ring[this.#next] = value;
    this.#next = this.#next + 1 === this.capacity ? 0 : this.#next + 1;
    if (oldest === undefined) this.#count++;
    return oldest;
  }

  /** From the oldest to the newest. */
  values(): number[] {
    if (this.#count < this.capacity) return Array.from(this.#ring.subarray(0, this.#count));
    return [...this.#ring.subarray(this.#next), ...this.#ring.subarray(0, this.#next)];
  }

  /** In order of size. */
  sorted(): Float64Array {
    return this.#ring.slice(0, this.#count).sort();
  }

  mean(): number {
    // In order of arrival, so that a restored one has the same bits.
    return this.values().reduce((sum, value) => sum + value, 0) / this.#count;
  }
}

/** The least of some sorted numbers that a share p of them does not exceed. */
export function quantile(sorted: Float64Array, p: number, count = sorted.length): number {
  return sorted[Math.max(0, Math.ceil(p * count) - 1)]!;
}
