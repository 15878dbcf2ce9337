/** As many slots as a ring begins with: a bandit with few events must cost little. */
const FIRST = 16;

/** The places of the last `most` things, which are kept in columns: typed arrays that double until they hold them all. */
export abstract class Ring {
  size = 0;
  /** Whether older ones were dropped. */
  dropped = false;
  #capacity = 0;
  #oldest = 0;

  constructor(readonly most: number) {}

  /** Makes every column this long. */
  protected abstract grow(capacity: number): void;

  /** The slot of the i-th oldest. */
  slot(i: number): number {
    const slot = this.#oldest + i;
    return slot < this.size ? slot : slot - this.size;
  }

  /** A slot for the next one: a free one, or that of the oldest. */
  protected claim(): number {
    if (this.size < this.most) {
      if (this.size === this.#capacity) {
        this.#capacity = Math.min(this.most, Math.max(FIRST, 2 * this.#capacity));
        this.grow(this.#capacity);
      }
      return this.size++;
    }
    this.dropped = true;
    const slot = this.#oldest;
    this.#oldest = slot + 1 === this.most ? 0 : slot + 1;
    return slot;
  }

  /** Tells that the columns now hold this many, the oldest first. */
  protected settle(size: number): void {
    this.size = size;
    this.#oldest = 0;
  }
}

type Column = Float64Array | Uint32Array | Uint16Array | Uint8Array;

/** A longer column that begins with what a column holds. */
export function grown<C extends Column>(column: C, capacity: number): C {
  const longer = new (column.constructor as new (length: number) => C)(capacity);
  longer.set(column);
  return longer;
}
