import { quantile, Recent } from "./recent.js";
import type { BaselineOptions } from "./routerOptions.js";

/**
 * The baseline that losses are measured against: a low quantile of the last `window` losses of all upstreams together. It removes a latency that all
 * upstreams share, such as the way to another continent, so that the policy does not learn it again and again. Subtracting one number from the losses
 * of all upstreams changes no regret. But X - b can be negative where X is not, so an assumption of the policy about its losses, such as truncated
 * non-negativity, becomes an assumption about X - b.
 */
export class Baseline {
  readonly #recent: Recent;
  /** The same losses in ascending order, because every new loss asks for a quantile. */
  readonly #sorted: Float64Array;

  constructor(readonly options: Required<BaselineOptions>) {
    this.#recent = new Recent(options.window);
    this.#sorted = new Float64Array(options.window);
  }

  /** Null before the first loss. */
  value(): number | null {
    return this.#recent.count === 0 ? null : quantile(this.#sorted, this.options.quantile, this.#recent.count);
  }

  push(loss: number): void {
    let count = this.#recent.count;
    const oldest = this.#recent.push(loss);
    if (oldest !== undefined) {
      const at = this.#rank(oldest, count);
      this.#sorted.copyWithin(at, at + 1, count);
      count--;
    }
    const at = this.#rank(loss, count);
    this.#sorted.copyWithin(at + 1, at, count);
    this.#sorted[at] = loss;
  }

  losses(): number[] {
    return this.#recent.values();
  }

  /** How many of the first `count` losses are smaller. */
  #rank(loss: number, count: number): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sorted[middle]! < loss) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
