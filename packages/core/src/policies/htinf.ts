import { pow } from "../elementary/pow.js";
import { root } from "../elementary/root.js";
import { snapExponent } from "../kernel/power.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./ftrlOptions.js";
import { SkippingFtrl } from "./skippingFtrl.js";
import { theta } from "./theta.js";

export const HTINF_PARAMETERS = {
  alpha: { type: "number", above: 1, atMost: 2, description: "order of the moment that is bounded" },
  sigma: { type: "number", atLeast: 1e-290, atMost: 1e290, description: "E|loss|^alpha is at most sigma^alpha in every round, for every arm" },
  theta: { type: "number", above: 0, atMost: 1, optional: true, description: "factor of the skipping threshold; left out: the paper's" },
} as const satisfies Parameters;

export interface HTINFOptions extends FtrlOptions {
  alpha: number;
  sigma: number;
  theta?: number;
}

/**
 * HTINF, Algorithm 1 of Huang, Dai and Huang (ICML 2022): 1/h = eta_t = 1 / (sigma t^(1/alpha)).
 * The prose of the paper drops sigma from the learning rate; this follows its pseudo-code and proof.
 * Theta is the first term of the printed minimum alone (see theta.ts). Deviation: none, unless `theta` is given: the paper's constant is
 * cautious, and with a larger one more losses are used, without its proof.
 */
export class HTINF extends SkippingFtrl {
  readonly #alpha: number;
  readonly #sigma: number;
  /** q = alpha / (alpha - 1) if it is a small integer: then t^(1/alpha) = t / t^(1/q) needs no logarithm. Else 0. */
  readonly #degree: number;

  constructor(options: HTINFOptions) {
    const { arms, kernel, alpha, sigma, theta: given } = completeOptions({ ...FTRL_OPTIONS, ...HTINF_PARAMETERS }, options);
    super({ policy: "htinf", alpha, sigma, ...(given === undefined ? {} : { theta: given }) }, arms, kernel, alpha, given ?? theta(alpha));
    this.#alpha = alpha;
    this.#sigma = sigma;
    const q = snapExponent(alpha / (alpha - 1));
    this.#degree = Number.isInteger(q) && q <= 6 ? q : 0;
  }

  protected override inverseRate(round: number): number {
    if (this.#degree === 2) return this.#sigma * Math.sqrt(round);
    return this.#sigma * (this.#degree > 0 ? round / root(round, this.#degree) : pow(round, 1 / this.#alpha));
  }
}
