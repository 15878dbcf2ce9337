import { completeOptions } from "../parameters.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { FTRL_OPTIONS, Ftrl, type FtrlOptions, theta } from "./base/ftrl.js";

export const OPT_TINF_PARAMETERS = FORGETTING_PARAMETERS;

/** The options of OptTINF: the arms, and the parameters of its spec. */
export type OptTINFOptions = FtrlOptions;

/**
 * OptTINF, Algorithm 2 of Huang, Dai and Huang (ICML 2022): HTINF with alpha = 2 and sigma = 1, whatever the world is like.
 * It is not scale-free: losses much larger than 1 are nearly all skipped.
 */
export class OptTINF extends Ftrl {
  constructor(options: OptTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...OPT_TINF_PARAMETERS }, options);
    super({ policy: "opttinf", ...parameters }, arms, { kernel, exponent: 2, theta: theta(2) });
  }

  protected override inverseRate(round: number): number {
    return this.weight(round) * Math.sqrt(this.elapsed(round, 2));
  }
}
