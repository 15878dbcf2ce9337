/** The losses that are remembered; older ones fade. */
const MEMORY = 64;
/** From the fourth loss on, a loss counts as at most this many times the mean. */
const LARGEST = 10;
/** A smaller loss counts as this much: a mean of 0 could never grow, and a negative one would make load look like a gain. */
const SMALLEST = 1e-6;

/** The state of a RestMean, JSON-safe. */
export interface RestMeanSnapshot {
  readonly count: number;
  readonly mean: number;
}

/** The mean loss of an upstream at rest on one route, robustly: it says how many seconds a load that doubles the latency costs. */
export class RestMean {
  #count: number;
  #mean: number;

  constructor({ count, mean }: RestMeanSnapshot = { count: 0, mean: 0 }) {
    this.#count = count;
    this.#mean = mean;
  }

  get count(): number {
    return this.#count;
  }

  get mean(): number {
    return this.#mean;
  }

  observe(loss: number): void {
    const least = Math.max(loss, SMALLEST);
    const cut = this.#count < 3 ? least : Math.min(least, LARGEST * this.#mean);
    this.#count = Math.min(this.#count + 1, MEMORY);
    this.#mean += (cut - this.#mean) / this.#count;
  }

  snapshot(): RestMeanSnapshot {
    return { count: this.#count, mean: this.#mean };
  }
}
