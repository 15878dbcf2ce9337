import { TsallisError } from "../../errors.js";
import type { Estimator } from "../../estimators/estimator.js";
import type { Rng } from "../../random/rng.js";
import type { Choice } from "./choice.js";
import { EstimatorPolicy } from "./estimatorPolicy.js";

/**
 * A policy that explores on a schedule, one arm after the other, and otherwise plays the arm that is best by the samples of exploration alone, so that its beliefs never
 * decide what it learns. The number of a round decides whether it explores: after round t, min(t, D_t) rounds have explored, for a target D_t. So late feedback
 * is attributed correctly, and an arm that somebody else forces in an exploring round is a sample of exploration.
 */
export abstract class ScheduledExploration<E extends Estimator> extends EstimatorPolicy<E> {
  /** D_t, non-decreasing. */
  protected abstract target(round: number): number;

  protected override pick(round: number, rng: Rng): number {
    return this.#explores(round) ? (this.#explored(round) - 1) % this.arms : super.pick(round, rng);
  }

  protected override learn(choice: Choice, loss: number): void {
    if (this.#explores(choice.round)) super.learn(choice, loss);
  }

  #explores(round: number): boolean {
    return this.#explored(round) > this.#explored(round - 1);
  }

  #explored(round: number): number {
    return round === 0 ? 0 : Math.min(round, this.target(round));
  }

  /** Rounds that are over would change their kind with the number of arms, and a new arm would wait for its turn in a schedule that has grown sparse. */
  override rearrange(): never {
    const { policy } = this.spec;
    const message = `policy ${policy} cannot be rearranged: it explores by a schedule that is made for a fixed number of arms; start a new policy`;
    throw new TsallisError("ERR_REARRANGE", "policy", policy, message);
  }
}
