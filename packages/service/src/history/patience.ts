/** Most feedback comes within one of these, in milliseconds: 15 s, four times as much, and so on to eleven days. */
const STEPS = Array.from({ length: 9 }, (_, i) => 15_000 * 4 ** i);
const MOST = 0.9;
const FEWEST = 100;

/** How long to wait for feedback before a decision is left out of comparisons: the shortest step within which nine of ten answers came. It only ever grows. */
export class Patience {
  #step = 0;
  #answers = 0;
  readonly #within = STEPS.map(() => 0);

  get ms(): number {
    return STEPS[this.#step]!;
  }

  /** Notes how long feedback took; true if the patience has grown. */
  note(delay: number): boolean {
    this.#answers++;
    for (const [i, step] of STEPS.entries()) if (delay <= step) this.#within[i]!++;
    const before = this.#step;
    while (this.#answers >= FEWEST && this.#step < STEPS.length - 1 && this.#within[this.#step]! < MOST * this.#answers) this.#step++;
    return this.#step > before;
  }

  snapshot(): number[] {
    return [this.#step, this.#answers, ...this.#within];
  }

  static restore([step, answers, ...within]: readonly number[]): Patience {
    const patience = new Patience();
    patience.#step = step!;
    patience.#answers = answers!;
    for (const [i, count] of within.entries()) patience.#within[i] = count;
    return patience;
  }
}
