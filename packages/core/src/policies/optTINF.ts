import { completeOptions } from "../parameters.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./base/ftrlOptions.js";
import { SkippingFtrl } from "./base/skippingFtrl.js";
import { theta } from "./base/theta.js";

export const OPT_TINF_PARAMETERS = FORGETTING_PARAMETERS;

/** The options of OptTINF: the arms, and the parameters of its spec. */
export type OptTINFOptions = FtrlOptions;

/**
 * OptTINF, Algorithm 2 of Huang, Dai and Huang (ICML 2022): HTINF with alpha = 2 and sigma = 1, whatever the world is like.
 * It is not scale-free: losses much larger than 1 are nearly all skipped.
 *
 * @example
 * ```ts
 * import { OptTINF, stream } from "tsallis";
 *
 * const policy = new OptTINF({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 875, 58, 67 ]
 * ```
 */
export class OptTINF extends SkippingFtrl {
  constructor(options: OptTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...OPT_TINF_PARAMETERS }, options);
    super({ policy: "opttinf", ...parameters }, arms, kernel, 2, theta(2));
  }

  protected override inverseRate(round: number): number {
    return this.weight(round) * Math.sqrt(this.elapsed(round, 2));
  }
}
