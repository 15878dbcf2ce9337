/** 2^27 + 1: Veltkamp's constant, which splits a double into two halves whose products are exact. */
const SPLITTER = 134217729;

/**
 * A running sum in about twice the precision of a double: Neumaier's compensated summation ("Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
 * Summen", 1974), with products split exactly by Dekker's method ("A floating-point technique for extending the available precision", 1971).
 */
export class CompensatedSum {
  #high = 0;
  #low = 0;

  /** Adds a number. */
  add(value: number): void {
    const sum = this.#high + value;
    this.#low += Math.abs(this.#high) >= Math.abs(value) ? this.#high - sum + value : value - sum + this.#high;
    this.#high = sum;
  }

  /** Adds the exact product a b, not its rounded value. */
  addProduct(a: number, b: number): void {
    const product = a * b;
    const wideA = SPLITTER * a;
    const highA = wideA - (wideA - a);
    const lowA = a - highA;
    const wideB = SPLITTER * b;
    const highB = wideB - (wideB - b);
    const lowB = b - highB;
    this.add(product);
    this.#low += lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
  }

  /** This sum plus `others`, minus `less`, without rounding each of them to a double first. */
  distance(others: readonly CompensatedSum[], less: CompensatedSum): number {
    const sum = new CompensatedSum();
    for (const term of [this, ...others]) {
      sum.add(term.#high);
      sum.add(term.#low);
    }
    sum.add(-less.#high);
    sum.add(-less.#low);
    return sum.value;
  }

  get value(): number {
    // If the sum is infinite, the collected error is NaN.
    return Math.abs(this.#high) < Infinity ? this.#high + this.#low : this.#high;
  }
}

/** The arithmetic mean, as exact as one rounding of the sum; NaN for no values. */
export function mean(values: ArrayLike<number>): number {
  const sum = new CompensatedSum();
  for (let i = 0; i < values.length; i++) sum.add(values[i]!);
  return sum.value / values.length;
}
