// Sums without rounding: a sum is kept as doubles that do not overlap, smallest first (J. R. Shewchuk, "Adaptive precision floating-point arithmetic and
// fast robust geometric predicates", Discrete Comput. Geom. 18, 1997). Products are split after T. J. Dekker (Numer. Math. 18, 1971).

/** 2^27 + 1: Dekker's factor. */
const SPLITTER = 134217729;

/**
 * A sum that is exact as long as no partial sum overflows (1e8 losses of size 1e300 do not). A term that is removed again, such as an outlier of 1e15, leaves no
 * trace. `value` rounds once, so it depends on what is in the sum and not on how it got there.
 */
export class ExactSum {
  readonly #parts: number[] = [];
  #length = 0;

  add(x: number): void {
    const parts = this.#parts;
    const length = this.#length;
    let kept = 0;
    for (let i = 0; i < length; i++) {
      const part = parts[i]!;
      const sum = x + part;
      // The rounding error of the sum, found from the larger of the two.
      const error = Math.abs(x) < Math.abs(part) ? x - (sum - part) : part - (sum - x);
      if (error !== 0) parts[kept++] = error;
      x = sum;
    }
    if (x !== 0) parts[kept++] = x;
    this.#length = kept;
  }

  /** Adds a * b. It is exact for factors of size up to 1e290 and a product of 0 or of size between 1e-290 and 1e308. Adding -a * b always undoes it exactly. */
  addProduct(a: number, b: number): void {
    const product = a * b;
    const aScaled = SPLITTER * a;
    const aHigh = aScaled - (aScaled - a);
    const aLow = a - aHigh;
    const bScaled = SPLITTER * b;
    const bHigh = bScaled - (bScaled - b);
    const bLow = b - bHigh;
    this.add(aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow));
    this.add(product);
  }

  addAll(other: ExactSum): void {
    for (let i = 0; i < other.#length; i++) this.add(other.#parts[i]!);
  }

  /** Adds factor * other, each product as `addProduct` does. */
  addMultiple(other: ExactSum, factor: number): void {
    for (let i = 0; i < other.#length; i++) this.addProduct(other.#parts[i]!, factor);
  }

  /** The double nearest to the sum. */
  get value(): number {
    const parts = this.#parts;
    let i = this.#length - 1;
    if (i < 0) return 0;
    let sum = parts[i]!;
    let error = 0;
    while (error === 0 && i > 0) {
      const part = parts[--i]!;
      const next = sum + part;
      error = part - (next - sum);
      sum = next;
    }
    // A tie was broken without the parts below it: if they have the same sign as the error, the other neighbour is nearer.
    if (i > 0 && error > 0 === parts[i - 1]! > 0 && sum + 2 * error - sum === 2 * error) sum += 2 * error;
    return sum;
  }

  clear(): void {
    this.#length = 0;
  }
}
