import { log } from "../elementary/log.js";
import { completeOptions } from "../parameters.js";
import { ARMS } from "./base/arms.js";
import type { Choice } from "./base/choice.js";
import { ExponentialWeights } from "./base/exponentialWeights.js";

export const EXP3_IX_PARAMETERS = {};

/** The options of EXP3IX: the arms, and the parameters of its spec. */
export interface EXP3IXOptions {
  arms: number;
}

/**
 * EXP3-IX of Neu (NeurIPS 2015), anytime: eta_t = 2 gamma_t = sqrt(ln K / (t K)), and the estimate is loss / (p + gamma_t), which explores
 * implicitly and bounds the regret with high probability. The formulas are from memory, not checked in print. Its proof needs losses in [0, 1].
 * Deviation: none; gamma_t is that of the Choice's round, however late its feedback is.
 *
 * @example
 * ```ts
 * import { EXP3IX, stream } from "tsallis";
 *
 * const policy = new EXP3IX({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 869, 94, 37 ]
 * ```
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
