/** A ring of the most recent numbers. */
export class Recent {
  readonly #ring: Float64Array;
  #count = 0;
  /** The place of the next number; once the ring is full, the oldest number is there. */
  #next = 0;

  constructor(readonly capacity: number) {
    this.#ring = new Float64Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a number; if the ring is full, in the place of the oldest one. */
  push(value: number): void {
    this.#ring[this.#next] = value;
    this.#next = this.#next + 1 === this.capacity ? 0 : this.#next + 1;
    if (this.#count < this.capacity) this.#count++;
  }

  /** From the oldest to the newest. */
  values(): number[] {
    if (this.#count < this.capacity) return Array.from(this.#ring.subarray(0, this.#count));
    return [...this.#ring.subarray(this.#next), ...this.#ring.subarray(0, this.#next)];
  }

  /** In ascending order. */
  sorted(): Float64Array {
    return this.#ring.slice(0, this.#count).sort();
  }

  mean(): number {
    // Summed in the order of arrival, so that a restored ring gives the same bits.
    return this.values().reduce((sum, value) => sum + value, 0) / this.#count;
  }
}
