import { log } from "../elementary/log.js";
import { completeOptions } from "../parameters.js";
import { ARMS } from "./base/arms.js";
import { ExponentialWeights } from "./base/exponentialWeights.js";

export const EXP3_PARAMETERS = {};

/** The options of EXP3: the arms, and the parameters of its spec. */
export interface EXP3Options {
  arms: number;
}

/**
 * EXP3 (Auer, Cesa-Bianchi, Freund and Schapire, SIAM J. Comput. 32, 2002), in the anytime version for losses of Bubeck and Cesa-Bianchi
 * (2012, section 3.1): eta_t = sqrt(ln K / (t K)), without further exploration. The formula is from memory, not checked in print. Its proof needs losses in [0, 1].
 * Deviation: none.
 *
 * @example
 * ```ts
 * import { EXP3, stream } from "tsallis";
 *
 * const policy = new EXP3({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 906, 76, 18 ]
 * ```
 */
export class EXP3 extends ExponentialWeights {
  readonly #scale: number;

  constructor(options: EXP3Options) {
    const { arms } = completeOptions({ arms: ARMS, ...EXP3_PARAMETERS }, options);
    super({ policy: "exp3" }, arms);
    this.#scale = log(arms) / arms;
  }

  protected override rate(round: number): number {
    return Math.sqrt(this.#scale / round);
  }
}
