import { type Choice, createDistribution, type DistributionSpec, type Policy, stream } from "tsallis";
import type { Batches } from "../document/experiment.js";

/** Feedback on its way. The delay of a round depends only on the seed and the round, so it is the same for every policy. */
export class Mailbox {
  readonly #due = new Map<number, [Choice, number][]>();
  /** The round after which the loss of a round is learned. */
  readonly #dueOf: (round: number) => number;

  constructor(
    delay: number | DistributionSpec | Batches,
    seed: number,
    readonly horizon: number,
  ) {
    if (typeof delay === "number") this.#dueOf = (round) => round + delay;
    else if (isBatches(delay)) this.#dueOf = (round) => Math.ceil(round / delay.batch) * delay.batch;
    else {
      const distribution = createDistribution(delay);
      const rng = stream(seed, "delay");
      this.#dueOf = (round) => round + Math.floor(distribution.sample(rng));
    }
  }

  /** Takes the loss of a round; call it for every round, in order. Feedback that would be due after the last round never arrives and is not kept. */
  post(choice: Choice, loss: number): void {
    const due = this.#dueOf(choice.round);
    if (due > this.horizon) return;
    const letters = this.#due.get(due);
    if (letters === undefined) this.#due.set(due, [[choice, loss]]);
    else letters.push([choice, loss]);
  }

  /** Delivers the feedback that is due at the end of a round, oldest first. */
  deliver(round: number, policy: Pick<Policy, "update">): void {
    const letters = this.#due.get(round);
    if (letters === undefined) return;
    this.#due.delete(round);
    for (const [choice, loss] of letters) policy.update(choice, loss);
  }
}

function isBatches(delay: DistributionSpec | Batches): delay is Batches {
  return "batch" in delay;
}
