import { quantileOfSorted } from "tsallis/statistics";

/** What the page keeps of one policy: at each checkpoint the median of its seeds, and the range in which eight of ten lie. Its size does not depend on the rounds. */
export class Tape {
  readonly median: (number | null)[];
  readonly low: (number | null)[];
  readonly high: (number | null)[];
  /** The epoch of the first seed. */
  readonly epochs: (number | null)[];
  readonly #values: number[][];
  #seeds: number;

  constructor(checkpoints: number, seeds: number) {
    this.median = new Array<null>(checkpoints).fill(null);
    this.low = [...this.median];
    this.high = [...this.median];
    this.epochs = [...this.median];
    this.#values = Array.from({ length: checkpoints }, () => []);
    this.#seeds = seeds;
  }

  add(checkpoint: number, regret: number): void {
    const values = this.#values[checkpoint]!;
    values.push(regret);
    if (values.length >= this.#seeds) this.#settle(checkpoint);
  }

  /** One seed less: what waited for it is complete. */
  lose(): void {
    this.#seeds--;
    for (const [checkpoint, values] of this.#values.entries()) if (values.length > 0 && values.length >= this.#seeds) this.#settle(checkpoint);
  }

  #settle(checkpoint: number): void {
    const values = this.#values[checkpoint]!.sort((a, b) => a - b);
    this.median[checkpoint] = quantileOfSorted(values, 0.5);
    this.low[checkpoint] = quantileOfSorted(values, 0.1);
    this.high[checkpoint] = quantileOfSorted(values, 0.9);
  }
}
