import { completeOptions } from "../parameters.js";
import { draw, type Rng } from "../random/rng.js";
import { requireArm } from "../requireArm.js";
import { ARMS } from "./base/arms.js";
import { type Choice, requireChoice } from "./base/choice.js";
import { refuseForesight } from "./base/foresight.js";
import { type Policy, type PolicySnapshot, SNAPSHOT_VERSION } from "./base/policy.js";
import { requireLoss } from "./base/requireLoss.js";
import { requireSnapshot } from "./base/requireSnapshot.js";
import { Shaped } from "./base/shaped.js";

export const UNIFORM_PARAMETERS = {};

/** The options of UniformPolicy: the arms, and the parameters of its spec. */
export interface UniformPolicyOptions {
  arms: number;
}

/**
 * The control: every arm with the same probability, for ever.
 *
 * @example
 * ```ts
 * import { stream, UniformPolicy } from "tsallis";
 *
 * const policy = new UniformPolicy({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 356, 310, 334 ]
 * ```
 */
export class UniformPolicy extends Shaped implements Policy {
  readonly skips = false;
  readonly weighs = false;
  #round = 0;

  constructor(options: UniformPolicyOptions) {
    super({ policy: "uniform" }, completeOptions({ arms: ARMS, ...UNIFORM_PARAMETERS }, options).arms);
  }

  get round(): number {
    return this.#round;
  }

  probabilities(ahead?: ArrayLike<number>): Float64Array {
    refuseForesight(this.spec.policy, ahead);
    return new Float64Array(this.arms).fill(1 / this.arms);
  }

  choose(rng: Rng, into?: Choice, ahead?: ArrayLike<number>, except?: readonly number[]): Choice {
    refuseForesight(this.spec.policy, ahead, except);
    return this.#play(Math.floor(draw(rng) * this.arms), into);
  }

  force(arm: number, into?: Choice, ahead?: ArrayLike<number>): Choice {
    requireArm(arm, this.arms);
    refuseForesight(this.spec.policy, ahead);
    return this.#play(arm, into);
  }

  #play(arm: number, into: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: null }): Choice {
    into.policy = this.fingerprint;
    into.round = this.#round + 1;
    into.arm = arm;
    into.probability = 1 / this.arms;
    into.threshold = null;
    this.#round++;
    return into;
  }

  update(choice: Choice, loss: number): void {
    requireChoice(choice, this);
    requireLoss(loss);
  }

  details(): Readonly<Record<string, number>> {
    return {};
  }

  snapshot(): PolicySnapshot {
    return { version: SNAPSHOT_VERSION, spec: this.spec, arms: this.arms, ...this.shapeFields(), round: this.#round, state: {} };
  }

  restore(snapshot: PolicySnapshot): void {
    this.takeShape(snapshot);
    requireSnapshot(snapshot, this, []);
    this.#round = snapshot.round;
  }

  protected override resume(old: this): void {
    this.#round = old.#round;
  }
}
