// Median of means: k blocks of N = floor(n/k) consecutive samples, the rest left out; the median of their means (for even k, half-way between the middle two).
// A block's sum is put together from sums of 2, 4, 8, ... consecutive samples. Differences of prefix sums would not do: after one outlier of 1e15 they give
// a block of ten 0.1's the mean 0.125. Each sum is kept as a pair of doubles, so that outliers of both signs may cancel in a block.

import type { Estimator } from "./estimator.js";
import { Samples } from "./samples.js";

export class MedianOfMeans implements Estimator {
  readonly samples = new Samples();
  /** Sums of 2^(i+1) samples, and what rounding took from them. */
  readonly #sums: { readonly high: Samples; readonly low: Samples }[] = [];
  #blocks = 0;
  #length = 0;
  #estimate = 0;
  #high = 0;
  #low = 0;

  add(x: number): void {
    this.samples.push(x);
    let count = this.samples.size;
    for (let level = 1; count % 2 === 0; level++) {
      count /= 2;
      this.#sums[level - 1] ??= { high: new Samples(), low: new Samples() };
      const { high, low } = this.#sums[level - 1]!;
      this.#clear();
      this.#take(level - 1, 2 * count - 2);
      this.#take(level - 1, 2 * count - 1);
      high.push(this.#high);
      low.push(this.#low);
    }
  }

  /** The estimate from the given number of blocks, from 1 to the number of samples. It is recomputed only if that number or the blocks' length has changed. */
  estimate(blocks: number): number {
    const length = Math.floor(this.samples.size / blocks);
    if (blocks === this.#blocks && length === this.#length) return this.#estimate;
    this.#blocks = blocks;
    this.#length = length;
    const means = new Float64Array(blocks);
    for (let i = 0; i < blocks; i++) means[i] = this.#sum(i * length, (i + 1) * length) / length;
    means.sort();
    const half = blocks >>> 1;
    this.#estimate = blocks % 2 === 1 ? means[half]! : (means[half - 1]! + means[half]!) / 2;
    return this.#estimate;
  }

  /** The sum of samples [from, to), put together from the longest stored stretch that begins at each position. */
  #sum(from: number, to: number): number {
    this.#clear();
    let level = 0;
    let size = 1;
    while (from < to) {
      while (from % (2 * size) === 0 && from + 2 * size <= to) {
        size *= 2;
        level++;
      }
      while (from + size > to) {
        size /= 2;
        level--;
      }
      this.#take(level, from / size);
      from += size;
    }
    return this.#high + this.#low;
  }

  #clear(): void {
    this.#high = 0;
    this.#low = 0;
  }

  /** Adds the sum number `index` of 2^level samples to the running pair. */
  #take(level: number, index: number): void {
    const sums = this.#sums[level - 1];
    this.#include((sums?.high ?? this.samples).at(index), sums?.low.at(index) ?? 0);
  }

  #include(high: number, low: number): void {
    const sum = this.#high + high;
    const part = sum - this.#high;
    const error = this.#high - (sum - part) + (high - part) + (this.#low + low);
    this.#high = sum + error;
    this.#low = error - (this.#high - sum);
  }
}
