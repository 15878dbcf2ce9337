import { log } from "../elementary/log.js";
import { completeOptions } from "../parameters.js";
import type { Choice } from "./base/choice.js";
import { ExponentialWeights } from "./base/exponentialWeights.js";
import { ARMS } from "./base/sharedParameters.js";

export const EXP3_IX_PARAMETERS = {};

/** The options of EXP3IX: the arms, and the parameters of its spec. */
export interface EXP3IXOptions {
  arms: number;
}

/**
 * EXP3-IX of Neu (NeurIPS 2015), anytime: eta_t = 2 gamma_t = sqrt(ln K / (t K)), and the estimate is loss / (p + gamma_t), which explores
 * implicitly and bounds the regret with high probability. Checked against SCIP, `bandit_exp3ix.c`. Its proof needs losses in [0, 1].
 * Deviation: none; gamma_t is that of the Choice's round, however late its feedback is.
 */
export class EXP3IX extends ExponentialWeights {
  readonly #scale: number;

  constructor(options: EXP3IXOptions) {
    const { arms } = completeOptions({ arms: ARMS, ...EXP3_IX_PARAMETERS }, options);
    super({ policy: "exp3-ix" }, arms);
    this.#scale = log(arms) / arms;
  }

  protected override rate(round: number): number {
    return Math.sqrt(this.#scale / round);
  }

  protected override estimate({ round, probability }: Choice, loss: number): number {
    return loss / (probability! + this.rate(round) / 2);
  }
}
