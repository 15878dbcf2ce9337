import { draw, type Rng } from "../../random/rng.js";
import { requireArm } from "../../requireArm.js";
import { type Choice, requireChoice } from "./choice.js";
import { armAt, exclude, refuseForesight, requireExcept } from "./foresight.js";
import { type Policy, type PolicySnapshot, SNAPSHOT_VERSION } from "./policy.js";
import type { Rearrangement } from "./rearrangement.js";
import { requireForceable } from "./requireForceable.js";
import { requireLoss } from "./requireLoss.js";
import { requireSnapshot } from "./requireSnapshot.js";
import { Shaped } from "./shaped.js";

/**
 * A policy that computes all its probabilities in every round, in O(K), and learns by dividing by them. A subclass defines the law of
 * a round (asking for it changes nothing), and what happens when a round is played and when a loss comes in.
 */
export abstract class LawPolicy extends Shaped implements Policy {
  readonly weighs = true;
  #round = 0;

  get round(): number {
    return this.#round;
  }

  /** The probabilities of a round, summing to 1. The array is valid until the next call. */
  protected abstract law(round: number): Float64Array;

  /** Takes in one checked loss; if it must throw, it throws before it changes anything. */
  protected abstract learn(choice: Choice, loss: number): void;

  /** The size above which losses are skipped; null if none is. */
  protected threshold(): number | null {
    return null;
  }

  /** Called before a round is played; may refuse it by throwing. */
  protected begin(_round: number): void {}

  /** Called when a round is played. */
  protected played(): void {}

  probabilities(ahead?: ArrayLike<number>): Float64Array {
    refuseForesight(this.spec.policy, ahead);
    return this.law(this.#round + 1).slice();
  }

  choose(rng: Rng, into?: Choice, ahead?: ArrayLike<number>, except?: readonly number[]): Choice {
    refuseForesight(this.spec.policy, ahead);
    if (except !== undefined) requireExcept(except, this.arms);
    const u = draw(rng);
    const choice = this.#blank(into);
    const round = this.#round + 1;
    this.begin(round);
    const whole = this.law(round);
    const law = except === undefined || except.length === 0 ? whole : exclude(whole.slice(), except);
    const arm = armAt(law, u);
    return this.#play(round, arm, law[arm]!, choice);
  }

  force(arm: number, into?: Choice, ahead?: ArrayLike<number>): Choice {
    requireArm(arm, this.arms);
    refuseForesight(this.spec.policy, ahead);
    const choice = this.#blank(into);
    const round = this.#round + 1;
    this.begin(round);
    const probability = this.law(round)[arm]!;
    requireForceable(arm, probability);
    return this.#play(round, arm, probability, choice);
  }

  /** The Choice to fill. Its first field is written before anything moves, so that an object that cannot be written throws here. */
  #blank(into: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: null }): Choice {
    into.policy = this.fingerprint;
    return into;
  }

  #play(round: number, arm: number, probability: number, choice: Choice): Choice {
    choice.round = round;
    choice.arm = arm;
    choice.probability = probability;
    choice.threshold = this.threshold();
    this.played();
    this.#round = round;
    return choice;
  }

  update(choice: Choice, loss: number): void {
    requireChoice(choice, this);
    requireLoss(loss);
    this.learn(choice, loss);
  }

  details(): Readonly<Record<string, number>> {
    return {};
  }

  snapshot(): PolicySnapshot {
    return { version: SNAPSHOT_VERSION, spec: this.spec, arms: this.arms, ...this.shapeFields(), round: this.#round, state: this.state() };
  }

  /** The state besides the round, by name. */
  protected abstract state(): Record<string, unknown>;

  restore(snapshot: PolicySnapshot): void {
    this.takeShape(snapshot);
    requireSnapshot(snapshot, this, Object.keys(this.state()));
    this.load(snapshot);
    this.#round = snapshot.round;
  }

  /** Checks the state's values and restores them. */
  protected abstract load(snapshot: PolicySnapshot): void;

  /** A subclass sets its estimates so that the law of the next round is the rearranged one, and takes over the rest of its state. */
  protected override resume(old: this, _from: Rearrangement): void {
    this.#round = old.#round;
  }
}
