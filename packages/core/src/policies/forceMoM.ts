import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import { MedianOfMeans } from "../estimators/medianOfMeans.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ScheduledExploration } from "./base/scheduledExploration.js";
import { ARMS } from "./base/sharedParameters.js";

export const FORCE_MOM_PARAMETERS = {
  rho: { type: "number", above: 0, atMost: 0.999, default: 2 / 3, description: "of t rounds, about t^rho explore" },
} as const satisfies Parameters;

/** The options of ForceMoM: the arms, and the parameters of its spec. */
export interface ForceMoMOptions {
  arms: number;
  rho?: number;
}

/** e^e. */
const E_TO_THE_E = 15.154262241479259;

/**
 * ForceMoM of Dewasurendra (preprint, July 2026, not peer reviewed), for losses: of t rounds max(K m, ceil(K^(1-rho) t^rho)), m = ceil(16 ln(2K + e)), explore cyclically;
 * the others play the smallest median of means over the samples of exploration, in q(n) blocks, the largest odd number up to min(n, 2 ceil(ln(2K) + ln ln(e^e + n)) + 1).
 * Samples that do not fill q(n) blocks of equal length are left out until there is one more for each block. Deviation: none known.
 */
export class ForceMoM extends ScheduledExploration<MedianOfMeans> {
  readonly #rho: number;
  readonly #start: number;

  constructor(options: ForceMoMOptions) {
    const { arms, rho } = completeOptions({ arms: ARMS, ...FORCE_MOM_PARAMETERS }, options);
    super({ policy: "forcemom", rho }, arms, () => new MedianOfMeans());
    this.#rho = rho;
    this.#start = arms * Math.ceil(16 * log(2 * arms + Math.E));
  }

  protected override target(round: number): number {
    return Math.max(this.#start, Math.ceil(this.arms * pow(round / this.arms, this.#rho)));
  }

  protected override indices(_round: number, into: Float64Array): void {
    for (let i = 0; i < into.length; i++) into[i] = this.estimators[i]!.estimate(this.#blocks(this.estimators[i]!.samples.size));
  }

  #blocks(count: number): number {
    const most = Math.min(count, 2 * Math.ceil(log(2 * this.arms) + log(log(E_TO_THE_E + count))) + 1);
    return most - ((most + 1) % 2);
  }
}
