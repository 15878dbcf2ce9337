import { log } from "../elementary/log.js";
import { TruncatedMean } from "../estimators/truncatedMean.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ScheduledExploration } from "./base/scheduledExploration.js";
import { ALPHA, ARMS, SIGMA } from "./base/sharedParameters.js";

export const DSEE_PARAMETERS = {
  alpha: ALPHA,
  sigma: SIGMA,
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
 * explore, in turn; the others play the smallest truncated mean, at level 2 ln t, over the samples of exploration alone. Schedule and samples are as Feng et al. ("Robust
 * Multi-Agent Bandits with Heavy-Tailed Rewards", Algorithm 3) describe DSEE; Lee et al.'s program uses all samples. Experimental: the level was not compared with the paper.
 * Deviations: the paper explores while there are fewer than K ceil(w ln t); here K w ln t is rounded up as a whole and is at least K.
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
