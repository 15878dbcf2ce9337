import { completeOptions, type Parameters } from "../parameters.js";
import type { Choice } from "./base/choice.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { FTRL_OPTIONS, Ftrl, type FtrlOptions } from "./base/ftrl.js";

export const TSALLIS_INF_PARAMETERS = {
  estimator: { type: "name", names: ["iw", "rv"], default: "iw", description: "importance-weighted, or with reduced variance" },
  ...FORGETTING_PARAMETERS,
} as const satisfies Parameters;

/** The options of TsallisINF: the arms, and the parameters of its spec. */
export interface TsallisINFOptions extends FtrlOptions {
  estimator?: "iw" | "rv";
}

/**
 * 1/2-Tsallis-INF for losses in [0, 1]. Nothing is checked and nothing is skipped: with other losses it has no guarantee.
 *
 * iw: Zimmert and Seldin, AISTATS 2019: argmin <x, L> - 2 sqrt(t) sum sqrt(x_i), so h = sqrt(t), and the estimate is loss / x_i for the arm
 * that was played. That is HTINF at alpha = 2, sigma = 1 without skips. The JMLR 2021 version writes the regulariser with a 4 and eta = 2 / sqrt(t), which is the same.
 * rv: Zimmert and Seldin, JMLR 2021 (checked against an audit of its proof): h = sqrt(t) / 2, the estimate of every arm j is
 * 1{j played} (loss - B_j) / x_j + B_j with the baseline B_j = 1/2 if x_j >= 16 / t, else 0. Every arm moves in every round, so the dense kernel is used
 * unless another is forced.
 * Late feedback, rv: the baselines are those of the probabilities in force when the loss comes in; the estimate is unbiased for any baseline that
 * does not depend on the arm drawn. With immediate feedback they are the round's own. Deviation: none.
 */
export class TsallisINF extends Ftrl {
  readonly #reduced: boolean;
  readonly #baselines: Float64Array;

  constructor(options: TsallisINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...TSALLIS_INF_PARAMETERS }, options);
    const reduced = parameters.estimator === "rv";
    super({ policy: "tsallis-inf", ...parameters }, arms, { kernel: kernel ?? (reduced ? "dense" : undefined), exponent: 2 });
    this.#reduced = reduced;
    this.#baselines = new Float64Array(reduced ? arms : 0);
  }

  protected override inverseRate(round: number): number {
    return (this.#reduced ? 0.5 : 1) * this.weight(round) * Math.sqrt(this.elapsed(round, 2));
  }

  protected override learn(choice: Choice, loss: number): void {
    if (this.#reduced) this.#learnReduced(choice, loss);
    else super.learn(choice, loss);
  }

  #learnReduced({ arm, probability, round }: Choice, loss: number): void {
    const kernel = this.kernel;
    const baselines = this.#baselines;
    kernel.solve(this.inverseRate(this.round));
    const least = 16 / this.elapsed(this.round, 2);
    for (let i = 0; i < this.arms; i++) baselines[i] = kernel.probability(i) >= least ? 0.5 : 0;
    const weight = this.weight(round);
    // The arm that was played comes first, because only its estimate may overflow.
    kernel.add(arm, weight * ((loss - baselines[arm]!) / probability! + baselines[arm]!));
    for (let i = 0; i < this.arms; i++) if (i !== arm && baselines[i]! > 0) kernel.add(i, 0.5 * weight);
  }
}
