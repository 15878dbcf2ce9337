import { completeOptions } from "../parameters.js";
import { BasePolicy } from "./base/basePolicy.js";
import type { Choice } from "./base/choice.js";
import { requireKnownCosts } from "./base/knownCosts.js";
import { ARMS } from "./base/sharedParameters.js";

export const UNIFORM_PARAMETERS = {};

/** The options of UniformPolicy: the arms, and the parameters of its spec. */
export interface UniformPolicyOptions {
  arms: number;
}

/** The control: every arm with the same probability, for ever. */
export class UniformPolicy extends BasePolicy {
  readonly skips = false;
  readonly weighs = false;

  constructor(options: UniformPolicyOptions) {
    super({ policy: "uniform" }, completeOptions({ arms: ARMS, ...UNIFORM_PARAMETERS }, options).arms);
  }

  /** The probabilities of the next choice; see `Policy`. */
  override probabilities(knownCosts?: ArrayLike<number>): Float64Array {
    if (knownCosts !== undefined) requireKnownCosts(knownCosts, this);
    return new Float64Array(this.arms).fill(1 / this.arms);
  }

  protected override drawInto(choice: Choice, round: number, u: number): void {
    this.forceInto(choice, round, Math.floor(u * this.arms));
  }

  protected override forceInto(choice: Choice, _round: number, arm: number): void {
    choice.arm = arm;
    choice.probability = 1 / this.arms;
    choice.threshold = null;
  }

  protected override learn(): void {}
}
