import { log } from "../elementary/log.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { MeanPolicy } from "./base/meanPolicy.js";
import { ARMS } from "./base/sharedParameters.js";

export const UCB1_PARAMETERS = {
  exploration: { type: "number", above: 0, atMost: 1e9, optional: true, description: "the factor of ln t below the root; by default 2" },
} as const satisfies Parameters;

/** The options of UCB1: the arms, and the parameters of its spec. */
export interface UCB1Options {
  arms: number;
  exploration?: number;
}

/**
 * UCB1 of Auer, Cesa-Bianchi and Fischer (Machine Learning 47, 2002, Figure 1), for losses: mean - sqrt(2 ln n / n_i) with n the plays so far.
 * Its proof needs losses in [0, 1]. Deviation: none; with late feedback n_i counts the losses received. `exploration` replaces the 2: Zimmert and Seldin (AISTATS 2019) play
 * sqrt(a ln t / (2 n_i)) with a = 1.5, which is 0.75.
 */
export class UCB1 extends MeanPolicy {
  readonly #exploration: number;

  constructor(options: UCB1Options) {
    const { arms, ...parameters } = completeOptions({ arms: ARMS, ...UCB1_PARAMETERS }, options);
    super({ policy: "ucb1", ...parameters }, arms);
    this.#exploration = parameters.exploration ?? 2;
  }

  protected override indices(round: number, into: Float64Array): void {
    const width = this.#exploration * log(round - 1);
    for (let i = 0; i < into.length; i++) into[i] = this.means[i]! - Math.sqrt(width / this.samples[i]!);
  }
}
