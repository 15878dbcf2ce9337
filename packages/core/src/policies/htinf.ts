import { pow } from "../elementary/pow.js";
import { root } from "../elementary/root.js";
import { snapExponent } from "../kernel/power.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { FTRL_OPTIONS, Ftrl, type FtrlOptions, theta } from "./base/ftrl.js";
import { ALPHA, SIGMA } from "./base/sharedParameters.js";

export const HTINF_PARAMETERS = {
  alpha: ALPHA,
  sigma: SIGMA,
  theta: { type: "number", above: 0, atMost: 1, optional: true, description: "factor of the skipping threshold; by default the paper's" },
  ...FORGETTING_PARAMETERS,
} as const satisfies Parameters;

/** The options of HTINF: the arms, and the parameters of its spec. */
export interface HTINFOptions extends FtrlOptions {
  alpha: number;
  sigma: number;
  theta?: number;
}

/**
 * HTINF, Algorithm 1 of Huang, Dai and Huang (ICML 2022): 1/h = eta_t = 1 / (sigma t^(1/alpha)).
 * The prose of the paper drops sigma from the learning rate; this follows its pseudo-code and proof.
 * Theta is the first term alone of the printed minimum (see `theta` in ftrl.ts). Deviation: none, unless `theta` is given. The paper's constant is
 * cautious; a larger one uses more losses, but has no proof.
 * With a half-life sigma grows with the weights, and sigma^alpha t becomes the sum of each round's sigma^alpha: h^alpha is that sum.
 */
export class HTINF extends Ftrl {
  readonly #alpha: number;
  readonly #sigma: number;
  /** q = alpha / (alpha - 1) if it is a small integer, so that t^(1/alpha) = t / t^(1/q) needs no logarithm; else 0. */
  readonly #degree: number;

  constructor(options: HTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...HTINF_PARAMETERS }, options);
    const { alpha, sigma } = parameters;
    const exponent = alpha / (alpha - 1);
    super({ policy: "htinf", ...parameters }, arms, { kernel, exponent, theta: parameters.theta ?? theta(alpha) });
    this.#alpha = alpha;
    this.#sigma = sigma;
    const q = snapExponent(exponent);
    this.#degree = Number.isInteger(q) && q <= 6 ? q : 0;
  }

  protected override inverseRate(round: number): number {
    const elapsed = this.elapsed(round, this.#alpha);
    const scale = this.#sigma * this.weight(round);
    if (this.#degree === 2) return scale * Math.sqrt(elapsed);
    return scale * (this.#degree > 0 ? elapsed / root(elapsed, this.#degree) : pow(elapsed, 1 / this.#alpha));
  }
}
