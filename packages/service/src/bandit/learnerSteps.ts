import type { Learnable } from "./learner.js";

/** Numbers per step. */
const WIDTH = 5;
/** In place of the number of an arm: the step is a decision. */
const DECISION = -1;

/** What a learner did, so that it can be done again. As numbers in one array: thousands of learners keep their steps, and as objects these would keep the garbage collector busy. */
export class LearnerSteps {
  #numbers = new Float64Array(0);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  addDecision(holdout: number, at: number): void {
    this.#add(DECISION, holdout, at, 0, 0);
  }

  addLoss({ number, round, probability, threshold }: Learnable, loss: number): void {
    this.#add(number, round!, probability ?? Number.NaN, threshold ?? Number.NaN, loss);
  }

  /** Forgets all steps but the first ones. */
  truncate(count: number): void {
    this.#count = count;
  }

  /** Does all of them again. */
  repeat(learner: { decide(holdout: number, at: number): unknown; learn(from: Learnable, loss: number): void }): void {
    for (let i = 0; i < this.#count; i++) {
      const [number, a, b, c, d] = this.#numbers.subarray(i * WIDTH, (i + 1) * WIDTH) as unknown as [number, number, number, number, number];
      if (number === DECISION) learner.decide(a, b);
      else learner.learn({ number, round: a, probability: orNull(b), threshold: orNull(c) }, d);
    }
  }

  #add(number: number, a: number, b: number, c: number, d: number): void {
    const from = this.#count * WIDTH;
    if (from === this.#numbers.length) {
      const more = new Float64Array(Math.max(16 * WIDTH, 2 * from));
      more.set(this.#numbers);
      this.#numbers = more;
    }
    const numbers = this.#numbers;
    numbers[from] = number;
    numbers[from + 1] = a;
    numbers[from + 2] = b;
    numbers[from + 3] = c;
    numbers[from + 4] = d;
    this.#count++;
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
