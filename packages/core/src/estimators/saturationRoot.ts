// The threshold of AdaR-UCB (Genalti, Marsigli, Gatti and Metelli, COLT 2024): the positive root M of sum_j min(X_j^2 / M^2, 1) = a.

import type { Estimator } from "./estimator.js";
import { ExactSum } from "./exactSum.js";
import { Samples } from "./samples.js";
import { SizeSplit } from "./sizeSplit.js";

/** Below this size the exact square of a number does not fit two doubles. */
const SMALLEST = 1e-140;

/**
 * With P the sum of squares of the samples below M and l the number of those above, M = sqrt(P / (a - l)). Since l is at most a, few samples are ever above. When a changes
 * or a sample is added, the new root is found by moving the samples near the border to the other side. The sum of squares is exact.
 * Samples are of size at most 1e140, so that squares do not overflow; below 1e-140 they count as zeros.
 */
export class SaturationRoot implements Estimator {
  readonly samples = new Samples();
  readonly #split = new SizeSplit();
  readonly #squares = new ExactSum();
  /** The number of nonzero samples: there is a root if and only if it exceeds a. */
  nonzero = 0;

  add(x: number): void {
    this.samples.push(x);
    const size = Math.abs(x);
    if (size < SMALLEST) return;
    this.nonzero++;
    if (size > this.#split.smallestLarge) {
      this.#split.addLarge(size);
    } else {
      this.#split.addSmall(size);
      this.#squares.addProduct(size, size);
    }
  }

  /** The root for an a in (0, nonzero). */
  root(a: number): number {
    const split = this.#split;
    while (this.#saturated(split.largestSmall) <= a) {
      const size = split.raise();
      this.#squares.addProduct(-size, size);
    }
    while (this.#saturated(split.smallestLarge) > a) {
      const size = split.lower();
      this.#squares.addProduct(size, size);
    }
    return Math.sqrt(this.#squares.value / (a - split.largeCount));
  }

  /** The left side of the equation at M = size, for a size at the border. */
  #saturated(size: number): number {
    return this.#split.largeCount + this.#squares.value / (size * size);
  }
}
