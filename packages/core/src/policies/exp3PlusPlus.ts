import { log } from "../elementary/log.js";
import { LARGEST_LOSS } from "../largestLoss.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Choice } from "./base/choice.js";
import { ExponentialWeights } from "./base/exponentialWeights.js";
import type { PolicySnapshot } from "./base/policy.js";
import { carry, type Rearrangement } from "./base/rearrangement.js";
import { ARMS } from "./base/sharedParameters.js";
import { requireCounts, requireNumbers } from "./base/snapshotState.js";

export const EXP3_PLUS_PLUS_PARAMETERS = {
  beta: { type: "number", above: 0, atMost: 1e9, default: 256, description: "amount of exploration; the proof needs 256, practice about 1" },
} as const satisfies Parameters;

/** The options of EXP3PlusPlus: the arms, and the parameters of its spec. */
export interface EXP3PlusPlusOptions {
  arms: number;
  beta?: number;
}

/** The paper's alpha (Seldin and Lugosi, COLT 2017), unrelated to the order of a moment. */
const CONFIDENCE = 3;

/**
 * EXP3++ of Seldin and Slivkins (ICML 2014) as Seldin and Lugosi (COLT 2017) parametrise it: EXP3 with eta_t = sqrt(ln K / (t K)) / 2, mixed with
 * exploration eps_i = min(1 / (2K), eta_t, beta ln t / (t gap_i^2)), where gap_i is a lower confidence bound of the gap from plain means.
 * Its proof needs losses in [0, 1].
 * Deviation: the paper first plays every arm once. Here an arm without feedback has the confidence interval [0, 1] instead, so that every
 * loss has a probability to be divided by and feedback may be late.
 */
export class EXP3PlusPlus extends ExponentialWeights {
  readonly #beta: number;
  readonly #logArms: number;
  readonly #means: Float64Array;
  readonly #samples: Float64Array;
  readonly #exploration: Float64Array;

  constructor(options: EXP3PlusPlusOptions) {
    const { arms, beta } = completeOptions({ arms: ARMS, ...EXP3_PLUS_PLUS_PARAMETERS }, options);
    super({ policy: "exp3-plus-plus", beta }, arms);
    this.#beta = beta;
    this.#logArms = log(arms);
    this.#means = new Float64Array(arms);
    this.#samples = new Float64Array(arms);
    this.#exploration = new Float64Array(arms);
  }

  protected override rate(round: number): number {
    return Math.sqrt(this.#logArms / this.arms / round) / 2;
  }

  protected override mix(rho: Float64Array, round: number): void {
    const exploration = this.#exploration;
    const time = log(round);
    // alpha ln(t K^(1/alpha)) / 2
    const width = (CONFIDENCE * time + this.#logArms) / 2;
    let smallestUpper = 1;
    for (let i = 0; i < rho.length; i++) {
      if (this.#samples[i]! > 0) smallestUpper = Math.min(smallestUpper, this.#means[i]! + Math.sqrt(width / this.#samples[i]!));
    }
    const most = Math.min(0.5 / this.arms, this.rate(round));
    let total = 0;
    for (let i = 0; i < rho.length; i++) {
      const lower = this.#samples[i]! > 0 ? Math.max(0, this.#means[i]! - Math.sqrt(width / this.#samples[i]!)) : 0;
      const gap = lower - smallestUpper;
      const part = gap > 0 ? Math.min(most, (this.#beta * time) / round / gap / gap) : most;
      exploration[i] = part;
      total += part;
    }
    for (let i = 0; i < rho.length; i++) rho[i] = (1 - total) * rho[i]! + exploration[i]!;
  }

  protected override learn(choice: Choice, loss: number): void {
    super.learn(choice, loss);
    const { arm } = choice;
    this.#samples[arm]!++;
    this.#means[arm]! += (loss - this.#means[arm]!) / this.#samples[arm]!;
  }

  protected override state(): Record<string, unknown> {
    return { ...super.state(), means: Array.from(this.#means), samples: Array.from(this.#samples) };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { means, samples } = snapshot.state;
    requireNumbers(means, "state.means", this.arms, LARGEST_LOSS);
    requireCounts(samples, "state.samples", this.arms);
    super.load(snapshot);
    this.#means.set(means);
    this.#samples.set(samples);
  }

  protected override resume(old: this, from: Rearrangement): void {
    super.resume(old, from);
    this.#means.set(carry(old.#means, from, 0));
    this.#samples.set(carry(old.#samples, from, 0));
  }
}
