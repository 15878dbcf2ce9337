import { Samples } from "./samples.js";

/**
 * Samples for an estimator in which each new sample changes every term. It uses the samples up to the last point of a grid of counts: all n up to 40, then 42, 44, ...
 * with a ratio of at most 1.05. Work of order n at each point of the grid is work of order 1 per sample. With a ratio of 1 every count is on the grid.
 */
export class GridSamples extends Samples {
  /** The largest count on the grid that has been reached. */
  used = 0;
  #next = 1;

  constructor(readonly ratio = 1.05) {
    super();
  }

  override push(x: number): void {
    super.push(x);
    if (this.size < this.#next) return;
    this.used = this.#next;
    this.#next = Math.max(this.used + 1, Math.floor(this.ratio * this.used));
  }
}
