// Bubeck, Cesa-Bianchi and Lugosi, "Bandits with heavy tail" (2013), from an audit of its proof: (1/n) sum_j X_j 1{|X_j| <= B_j}, B_j = sigma (j / L)^(1/alpha),
// where j is the sample's ordinal and L = ln(1/delta). Samples are dropped, not clipped; the sum is divided by n, not by the number kept; equality is kept.

import { pow } from "../elementary/pow.js";
import type { Estimator } from "./estimator.js";
import { ExactSum } from "./exactSum.js";
import { Heap } from "./heap.js";
import { Samples } from "./samples.js";

/**
 * The truncated mean at a level L = ln(1/delta) that only rises. Sample j is kept if and only if its key j (sigma/|X_j|)^alpha, which never changes, is
 * at least L. So a sample can leave but never comes back: a heap of keys gives the next one to leave, at an amortised cost of log n. The sum is exact.
 */
export class TruncatedMean implements Estimator {
  readonly samples = new Samples();
  readonly #kept = new Heap();
  readonly #sum = new ExactSum();
  #level = 0;

  constructor(
    readonly alpha: number,
    readonly sigma: number,
  ) {}

  add(x: number): void {
    this.samples.push(x);
    if (x === 0) return;
    const key = this.samples.size * pow(this.sigma / Math.abs(x), this.alpha);
    if (key < this.#level) return;
    this.#kept.push(key, x);
    this.#sum.add(x);
  }

  /** The estimate at a level that is not below the last one; it needs a sample. */
  estimate(level: number): number {
    this.#level = level;
    while (this.#kept.topKey < level) this.#sum.add(-this.#kept.pop());
    return this.#sum.value / this.samples.size;
  }
}
