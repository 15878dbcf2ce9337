import { log } from "../elementary/log.js";
import { completeOptions } from "../parameters.js";
import { ExponentialWeights } from "./base/exponentialWeights.js";
import { ARMS } from "./base/sharedParameters.js";

export const EXP3_PARAMETERS = {};

/** The options of EXP3: the arms, and the parameters of its spec. */
export interface EXP3Options {
  arms: number;
}

/**
 * EXP3 (Auer, Cesa-Bianchi, Freund and Schapire, SIAM J. Comput. 32, 2002), in the anytime version for losses of Bubeck and Cesa-Bianchi
 * (2012, section 3.1): eta_t = sqrt(ln K / (t K)), without further exploration; the rate checked against
 * SMPyBandits, `Exp3.py`, which cites Theorem 3.1 there. Its proof needs losses in [0, 1].
 * Deviation: none.
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
