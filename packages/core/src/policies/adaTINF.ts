import { TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { DOUBLING_PARAMETERS, Doubling } from "./base/doubling.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./base/ftrlOptions.js";
import type { PolicySnapshot } from "./base/policy.js";

export const ADA_TINF_PARAMETERS = {
  horizon: { type: "integer", atLeast: 1, description: "number of rounds that will be played" },
  ...DOUBLING_PARAMETERS,
} as const satisfies Parameters;

/** The options of AdaTINF: the arms, and the parameters of its spec. */
export interface AdaTINFOptions extends FtrlOptions {
  horizon: number;
  cost?: "signed" | "absolute";
}

/**
 * AdaTINF, Algorithm 3 of Huang, Dai and Huang (ICML 2022): minimax optimal without knowing alpha and sigma, for a known horizon.
 *
 * @example
 * ```ts
 * import { AdaTINF, stream } from "tsallis";
 *
 * const policy = new AdaTINF({ arms: 3, horizon: 1000 });
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
export class AdaTINF extends Doubling {
  readonly #horizon: number;
  readonly #budget: number;

  constructor(options: AdaTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...ADA_TINF_PARAMETERS }, options);
    super({ policy: "adatinf", ...parameters }, arms, kernel);
    this.#horizon = parameters.horizon;
    this.#budget = Math.sqrt(arms * (this.elapsed(this.#horizon, 2) + 1));
  }

  protected override begin(round: number): void {
    if (round > this.#horizon) {
      throw new TsallisError(
        "ERR_HORIZON",
        "horizon",
        this.#horizon,
        `all ${this.#horizon} rounds are played; give a larger horizon, or use ada2tinf, which needs none`,
      );
    }
  }

  protected override load(snapshot: PolicySnapshot): void {
    if (snapshot.round > this.#horizon) {
      throw new TsallisError("ERR_SNAPSHOT", "round", snapshot.round, `round must be at most the horizon, ${this.#horizon}, got ${snapshot.round}`);
    }
    super.load(snapshot);
  }

  protected override budget(): number {
    return this.#budget;
  }

  protected override clock(round: number): number {
    return this.elapsed(round, 2);
  }
}
