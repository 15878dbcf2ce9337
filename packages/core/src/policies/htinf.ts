import { pow } from "../elementary/pow.js";
import { root } from "../elementary/root.js";
import { snapExponent } from "../kernel/power.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./base/ftrlOptions.js";
import { SkippingFtrl } from "./base/skippingFtrl.js";
import { theta } from "./base/theta.js";

export const HTINF_PARAMETERS = {
  alpha: { type: "number", above: 1, atMost: 2, description: "order of the moment that is bounded" },
  sigma: { type: "number", atLeast: 1e-290, atMost: 1e290, description: "E|loss|^alpha is at most sigma^alpha in every round, for every arm" },
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
 * Theta is the first term alone of the printed minimum (see theta.ts). Deviation: none, unless `theta` is given. The paper's constant is
 * cautious; a larger one uses more losses, but has no proof.
 * With a half-life sigma grows with the weights, and sigma^alpha t becomes the sum of each round's sigma^alpha: h^alpha is that sum.
 *
 * @example
 * ```ts
 * import { HTINF, stream } from "tsallis";
 *
 * const policy = new HTINF({ arms: 3, alpha: 1.5, sigma: 1 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 867, 73, 60 ]
 * ```
 */
export class HTINF extends SkippingFtrl {
  readonly #alpha: number;
  readonly #sigma: number;
  /** q = alpha / (alpha - 1) if it is a small integer, so that t^(1/alpha) = t / t^(1/q) needs no logarithm; else 0. */
  readonly #degree: number;

  constructor(options: HTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...HTINF_PARAMETERS }, options);
    const { alpha, sigma } = parameters;
    super({ policy: "htinf", ...parameters }, arms, kernel, alpha, parameters.theta ?? theta(alpha));
    this.#alpha = alpha;
    this.#sigma = sigma;
    const q = snapExponent(alpha / (alpha - 1));
    this.#degree = Number.isInteger(q) && q <= 6 ? q : 0;
  }

  protected override inverseRate(round: number): number {
    const elapsed = this.elapsed(round, this.#alpha);
    const scale = this.#sigma * this.weight(round);
    if (this.#degree === 2) return scale * Math.sqrt(elapsed);
    return scale * (this.#degree > 0 ? elapsed / root(elapsed, this.#degree) : pow(elapsed, 1 / this.#alpha));
  }
}
