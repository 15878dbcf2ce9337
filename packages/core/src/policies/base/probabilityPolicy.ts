import type { Rng } from "../../random/rng.js";
import { BasePolicy } from "./basePolicy.js";
import { type Choice, requireForceable } from "./choice.js";
import { armAt, exclude, requireKnownCosts } from "./knownCosts.js";

/**
 * A policy that computes all its probabilities in every round, in O(K), and learns by dividing by them. A subclass defines the probabilities of
 * a round (asking for them changes nothing), and what happens when a round is played and when a loss comes in. Rearranged, it sets its estimates so that the
 * probabilities of the next round are the rearranged ones.
 */
export abstract class ProbabilityPolicy extends BasePolicy {
  readonly weighs = true;

  /** The probabilities of a round, summing to 1. The array is valid until the next call. */
  protected abstract probabilitiesIn(round: number): Float64Array;

  /** The size above which losses are skipped; null if none is. */
  protected threshold(): number | null {
    return null;
  }

  /** The probabilities of the next choice; see `Policy`. */
  override probabilities(knownCosts?: ArrayLike<number>): Float64Array {
    if (knownCosts !== undefined) requireKnownCosts(knownCosts, this);
    return this.probabilitiesIn(this.round + 1).slice();
  }

  protected override drawInto(
    choice: Choice,
    round: number,
    u: number,
    _rng: Rng,
    _knownCosts: ArrayLike<number> | undefined,
    except: readonly number[] | undefined,
  ): void {
    const all = this.probabilitiesIn(round);
    const probabilities = except === undefined || except.length === 0 ? all : exclude(all.slice(), except);
    const arm = armAt(probabilities, u);
    this.#fill(choice, arm, probabilities[arm]!);
  }

  protected override forceInto(choice: Choice, round: number, arm: number): void {
    const probability = this.probabilitiesIn(round)[arm]!;
    requireForceable(arm, probability);
    this.#fill(choice, arm, probability);
  }

  #fill(choice: Choice, arm: number, probability: number): void {
    choice.arm = arm;
    choice.probability = probability;
    choice.threshold = this.threshold();
  }
}
