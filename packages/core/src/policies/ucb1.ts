import { log } from "../elementary/log.js";
import { completeOptions } from "../parameters.js";
import { ARMS } from "./base/arms.js";
import { MeanPolicy } from "./base/meanPolicy.js";

export const UCB1_PARAMETERS = {};

/** The options of UCB1: the arms, and the parameters of its spec. */
export interface UCB1Options {
  arms: number;
}

/**
 * UCB1 of Auer, Cesa-Bianchi and Fischer (Machine Learning 47, 2002, Figure 1), for losses: mean - sqrt(2 ln n / n_i) with n the plays so far.
 * Its proof needs losses in [0, 1]. Deviation: none; with late feedback n_i counts the losses received.
 *
 * @example
 * ```ts
 * import { stream, UCB1 } from "tsallis";
 *
 * const policy = new UCB1({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 896, 77, 27 ]
 * ```
 */
export class UCB1 extends MeanPolicy {
  constructor(options: UCB1Options) {
    const { arms } = completeOptions({ arms: ARMS, ...UCB1_PARAMETERS }, options);
    super({ policy: "ucb1" }, arms);
  }

  protected override indices(round: number, into: Float64Array): void {
    const width = 2 * log(round - 1);
    for (let i = 0; i < into.length; i++) into[i] = this.means[i]! - Math.sqrt(width / this.samples[i]!);
  }
}
