import { completeOptions, type Parameters } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import type { Choice } from "./base/choice.js";
import { MeanPolicy } from "./base/meanPolicy.js";
import { ARMS } from "./base/sharedParameters.js";

export const EXPLORE_THEN_COMMIT_PARAMETERS = {
  rounds: { type: "integer", atLeast: 1, description: "rounds of exploration per arm" },
} as const satisfies Parameters;

/** The options of ExploreThenCommit: the arms, and the parameters of its spec. */
export interface ExploreThenCommitOptions {
  arms: number;
  rounds: number;
}

/**
 * Explore then commit: every arm in turn, `rounds` rounds each, then the arm with the smallest mean, for ever.
 * An arm's mean is that of its first `rounds` losses, so nothing that happens after the exploration counts; late feedback does, up to that number.
 */
export class ExploreThenCommit extends MeanPolicy {
  readonly #rounds: number;

  constructor(options: ExploreThenCommitOptions) {
    const { arms, rounds } = completeOptions({ arms: ARMS, ...EXPLORE_THEN_COMMIT_PARAMETERS }, options);
    super({ policy: "explore-then-commit", rounds }, arms);
    this.#rounds = rounds;
  }

  protected override pick(round: number, rng: Rng): number {
    const { plays } = this;
    let least = 0;
    for (let i = 1; i < plays.length; i++) if (plays[i]! < plays[least]!) least = i;
    return plays[least]! < this.#rounds ? least : super.pick(round, rng);
  }

  protected override learn(choice: Choice, loss: number): void {
    if (this.samples[choice.arm]! < this.#rounds) super.learn(choice, loss);
  }

  protected override indices(_round: number, into: Float64Array): void {
    into.set(this.means);
  }
}
