/** The median of the last `size` values: of an even number of values the larger of the two in the middle. O(size) per value. */
export class RecentMedian {
  /** In the order of their arrival. */
  readonly #recent: number[] = [];
  readonly #sorted: number[] = [];

  constructor(readonly size: number) {}

  /** Undefined before the first value. */
  get value(): number | undefined {
    return this.#sorted[this.#sorted.length >> 1];
  }

  push(value: number): void {
    this.#recent.push(value);
    this.#sorted.splice(this.#rank(value), 0, value);
    if (this.#recent.length > this.size) this.#sorted.splice(this.#rank(this.#recent.shift()!), 1);
  }

  /** The values that count, the oldest first: pushed into a fresh one, they give the same future. */
  values(): number[] {
    return [...this.#recent];
  }

  /** How many values are smaller. */
  #rank(value: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
