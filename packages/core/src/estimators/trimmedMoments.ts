// The trimmed mean and variance of AdaR-UCB (Genalti, Marsigli, Gatti and Metelli, COLT 2024): of Y_j = X_j 1{|X_j| <= M}, all n of them.

import type { Estimator } from "./estimator.js";
import { ExactSum } from "./exactSum.js";
import { Samples } from "./samples.js";
import { SizeSplit } from "./sizeSplit.js";

/**
 * Mean and variance at a threshold that moves both ways, a little at a time: samples change sides as it passes them, and the sums are exact.
 * Samples are of size at most 1e140, so that products of sums do not overflow.
 */
export class TrimmedMoments implements Estimator {
  readonly samples = new Samples();
  readonly #split = new SizeSplit();
  readonly #sum = new ExactSum();
  readonly #squares = new ExactSum();
  mean = 0;
  /** With n - 1 in the denominator. */
  variance = 0;

  add(x: number): void {
    this.samples.push(x);
    if (Math.abs(x) > this.#split.smallestLarge) {
      this.#split.addLarge(x);
    } else {
      this.#split.addSmall(x);
      this.#count(x, 1);
    }
  }

  /** Computes mean and variance at a threshold; it needs two samples. */
  trim(threshold: number): void {
    const split = this.#split;
    while (split.largestSmall > threshold) this.#count(split.raise(), -1);
    while (split.smallestLarge <= threshold) this.#count(split.lower(), 1);
    const { size } = this.samples;
    this.mean = this.#sum.value / size;
    // sum (Y - mean)^2 = sum Y^2 - 2 mean sum Y + mean (n mean), rounded once.
    const total = new ExactSum();
    total.addProduct(size, this.mean);
    const deviations = new ExactSum();
    deviations.addMultiple(total, this.mean);
    deviations.addMultiple(this.#sum, -2 * this.mean);
    deviations.addAll(this.#squares);
    // It can be negative only through squares that vanish below 1e-308.
    this.variance = Math.max(0, deviations.value) / (size - 1);
  }

  #count(x: number, sign: number): void {
    this.#sum.add(sign * x);
    this.#squares.addProduct(sign * x, x);
  }
}
