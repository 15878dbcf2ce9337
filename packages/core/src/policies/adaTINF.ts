import { completeOptions, type Parameters } from "../parameters.js";
import { DOUBLING_PARAMETERS, Doubling } from "./base/doubling.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./base/ftrl.js";
import { HORIZON } from "./base/sharedParameters.js";

export const ADA_TINF_PARAMETERS = {
  horizon: HORIZON,
  ...DOUBLING_PARAMETERS,
} as const satisfies Parameters;

/** The options of AdaTINF: the arms, and the parameters of its spec. */
export interface AdaTINFOptions extends FtrlOptions {
  horizon: number;
  cost?: "signed" | "absolute";
}

/** AdaTINF, Algorithm 3 of Huang, Dai and Huang (ICML 2022): minimax optimal without knowing alpha and sigma, for a known horizon. */
export class AdaTINF extends Doubling {
  readonly #budget: number;

  constructor(options: AdaTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...ADA_TINF_PARAMETERS }, options);
    super({ policy: "adatinf", ...parameters }, arms, kernel);
    this.#budget = Math.sqrt(arms * (this.elapsed(parameters.horizon, 2) + 1));
  }

  protected override budget(): number {
    return this.#budget;
  }

  protected override clock(round: number): number {
    return this.elapsed(round, 2);
  }
}
