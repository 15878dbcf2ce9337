import { quantileOfSorted } from "tsallis/statistics";

/** What the page keeps of one policy: the regret of each of its runs at each checkpoint, and their median. Its size does not depend on the rounds. */
export class Tape {
  /** By seed, from 0, and checkpoint. */
  readonly runs: readonly (number | null)[][];
  readonly median: (number | null)[];
  /** Of the first seed: its epoch, and its rounds on the best arm. */
  readonly epochs: (number | null)[];
  readonly best: (number | null)[];
  /** By seed: whether the run is stuck; null before its end, and where that has no meaning. */
  readonly stuck: (boolean | null)[];
  readonly #reached: number[];
  #seeds: number;

  constructor(checkpoints: number, seeds: number) {
    const empty = () => new Array<null>(checkpoints).fill(null);
    this.runs = Array.from({ length: seeds }, empty);
    this.median = empty();
    this.epochs = empty();
    this.best = empty();
    this.stuck = new Array<null>(seeds).fill(null);
    this.#reached = new Array<number>(checkpoints).fill(0);
    this.#seeds = seeds;
  }

  add(seed: number, checkpoint: number, regret: number): void {
    this.runs[seed]![checkpoint] = regret;
    this.#reached[checkpoint]!++;
    this.#settle(checkpoint);
  }

  /** One seed less: what waited for it is complete. */
  lose(): void {
    this.#seeds--;
    for (const checkpoint of this.#reached.keys()) this.#settle(checkpoint);
  }

  #settle(checkpoint: number): void {
    const reached = this.#reached[checkpoint]!;
    if (reached === 0 || reached < this.#seeds) return;
    const values = this.runs.map((run) => run[checkpoint]).filter((value) => value !== null && value !== undefined);
    this.median[checkpoint] = quantileOfSorted(
      values.sort((a, b) => a - b),
      0.5,
    );
  }
}
