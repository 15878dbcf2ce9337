import { log } from "../elementary/log.js";
import { TruncatedMean } from "../estimators/truncatedMean.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ARMS } from "./base/arms.js";
import { ScheduledExploration } from "./base/scheduledExploration.js";

export const DSEE_PARAMETERS = {
  alpha: { type: "number", above: 1, atMost: 2, description: "order of the moment that is bounded" },
  sigma: { type: "number", atLeast: 1e-290, atMost: 1e290, description: "E|loss|^alpha is at most sigma^alpha in every round, for every arm" },
  w: { type: "number", above: 0, atMost: 1e9, default: 10, description: "each arm is explored w ln t times in t rounds" },
} as const satisfies Parameters;

/** The options of DSEE: the arms, and the parameters of its spec. */
export interface DSEEOptions {
  arms: number;
  alpha: number;
  sigma: number;
  w?: number;
}

/**
 * DSEE (deterministic sequencing of exploration and exploitation) of Vakili, Liu and Zhao (IEEE J. Sel. Top. Signal Process. 7, 2013), for losses: K w ln t of t rounds
 * explore, in turn; the others play the smallest truncated mean, at level 2 ln t. Only the abstract was at hand: that the mean is over the samples of exploration alone
 * is from memory (65 %; published code uses all samples).
 * Deviations: the paper explores while there are fewer than K ceil(w ln t); here K w ln t is rounded up as a whole and is at least K.
 *
 * @example
 * ```ts
 * import { DSEE, stream } from "tsallis";
 *
 * const policy = new DSEE({ arms: 3, alpha: 1.5, sigma: 1 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 862, 69, 69 ]
 * ```
 */
export class DSEE extends ScheduledExploration<TruncatedMean> {
  readonly #w: number;

  constructor(options: DSEEOptions) {
    const { arms, alpha, sigma, w } = completeOptions({ arms: ARMS, ...DSEE_PARAMETERS }, options);
    super({ policy: "dsee", alpha, sigma, w }, arms, () => new TruncatedMean(alpha, sigma));
    this.#w = w;
  }

  protected override target(round: number): number {
    return Math.max(this.arms, Math.ceil(this.arms * this.#w * log(round)));
  }

  protected override indices(round: number, into: Float64Array): void {
    const level = 2 * log(Math.max(round, 2));
    for (let i = 0; i < into.length; i++) into[i] = this.estimators[i]!.estimate(level);
  }
}
