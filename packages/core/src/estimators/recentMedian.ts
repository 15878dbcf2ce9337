/** The median of the last `size` values: of an even number of values the larger of the two in the middle. O(size) per value. */
export class RecentMedian {
  /** A ring, in the order of arrival; `#next` is where the next value goes. */
  readonly #recent: Float64Array;
  readonly #sorted: Float64Array;
  #count = 0;
  #next = 0;

  constructor(readonly size: number) {
    this.#recent = new Float64Array(size);
    this.#sorted = new Float64Array(size);
  }

  /** Undefined before the first value. */
  get value(): number | undefined {
    return this.#count === 0 ? undefined : this.#sorted[this.#count >> 1];
  }

  push(value: number): void {
    const sorted = this.#sorted;
    // The place that becomes free: behind the others, or that of the value that falls out.
    let free = this.#count;
    if (this.#count === this.size) {
      const oldest = this.#recent[this.#next]!;
      free = 0;
      while (sorted[free] !== oldest) free++;
    } else this.#count++;
    this.#recent[this.#next] = value;
    this.#next = this.#next + 1 === this.size ? 0 : this.#next + 1;
    for (; free > 0 && sorted[free - 1]! > value; free--) sorted[free] = sorted[free - 1]!;
    for (; free + 1 < this.#count && sorted[free + 1]! < value; free++) sorted[free] = sorted[free + 1]!;
    sorted[free] = value;
  }

  /** The values that count, the oldest first: pushed into a fresh one, they give the same future. */
  values(): number[] {
    const recent = Array.from(this.#recent);
    return this.#count < this.size ? recent.slice(0, this.#count) : [...recent.slice(this.#next), ...recent.slice(0, this.#next)];
  }
}
