import { pow } from "../elementary/pow.js";
import { show, TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Choice } from "./base/choice.js";
import { DOUBLING_PARAMETERS, Doubling } from "./base/doubling.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./base/ftrl.js";
import type { PolicySnapshot } from "./base/policy.js";
import type { Rearrangement } from "./base/rearrangement.js";
import { VARIANT_PARAMETERS } from "./base/sharedParameters.js";

export const ADA2_TINF_PARAMETERS = { ...DOUBLING_PARAMETERS, ...VARIANT_PARAMETERS } as const satisfies Parameters;

/** The options of Ada2TINF: the arms, and the parameters of its spec. */
export interface Ada2TINFOptions extends FtrlOptions {
  cost?: "signed" | "absolute";
  variant?: "published";
}

/**
 * Ada2TINF, Algorithm 4 of Huang, Dai and Huang (ICML 2022): AdaTINF without a horizon, started afresh in super-epochs m = 1, 2, 3, ...
 * of 2^m - 1 rounds, which begin at rounds 2^m - m: 1, 2, 5, 12, 27, 58.
 * Deviation, but for the variant "published": the paper prints the restart test as t >= S, which cuts the second super-epoch to 2 rounds, so that the later ones
 * begin a round earlier, at 4, 11, 26, 57; its proof needs t > S.
 * Feedback for a finished super-epoch is accepted and changes nothing, because its instance is gone.
 */
export class Ada2TINF extends Doubling {
  #superEpoch = 0;
  #first = 1;
  #next = 1;
  #budget = 0;

  constructor(options: Ada2TINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...ADA2_TINF_PARAMETERS }, options);
    super({ policy: "ada2tinf", ...parameters }, arms, kernel);
  }

  protected override begin(round: number): void {
    if (round !== this.#next) return;
    this.restart();
    this.#enterSuperEpoch(this.#superEpoch + 1);
  }

  #enterSuperEpoch(superEpoch: number): void {
    this.#superEpoch = superEpoch;
    this.#first = this.#firstRound(superEpoch);
    this.#next = this.#firstRound(superEpoch + 1);
    this.#budget = Math.sqrt(this.arms * (this.elapsed(pow(2, superEpoch) - 1, 2) + 1));
  }

  #firstRound(superEpoch: number): number {
    return pow(2, superEpoch) - superEpoch - (this.spec.variant !== undefined && superEpoch > 2 ? 1 : 0);
  }

  protected override budget(): number {
    return this.#budget;
  }

  protected override clock(round: number): number {
    return this.elapsed(round - this.#first + 1, 2);
  }

  /** Only the rounds of the running instance are remembered. */
  protected override knownCostFactor(round: number): number {
    return this.weight(round) * this.elapsed(round - this.#first + 1, 1);
  }

  /** Those of the super-epoch that the next round belongs to. */
  override probabilities(knownCosts?: ArrayLike<number>): Float64Array {
    if (this.round + 1 !== this.#next) return super.probabilities(knownCosts);
    if (knownCosts === undefined) return new Float64Array(this.arms).fill(1 / this.arms);
    // The next round begins with empty estimates; asking for its probabilities must not.
    const { policy: _, ...parameters } = this.spec;
    const next = new Ada2TINF({ ...parameters, arms: this.arms });
    next.restore(this.snapshot());
    next.begin(this.round + 1);
    return next.probabilities(knownCosts);
  }

  protected override learn(choice: Choice, loss: number): void {
    if (choice.round >= this.#first) super.learn(choice, loss);
  }

  /** `superEpoch`: how often it has started afresh, and its `epoch` since. */
  override details(): Readonly<Record<string, number>> {
    return { superEpoch: this.#superEpoch, ...super.details() };
  }

  protected override state(): Record<string, unknown> {
    return { superEpoch: this.#superEpoch, ...super.state() };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { superEpoch } = snapshot.state;
    let expected = 0;
    while (this.#firstRound(expected + 1) <= snapshot.round) expected++;
    if (superEpoch !== expected) {
      throw new TsallisError(
        "ERR_SNAPSHOT",
        "state.superEpoch",
        superEpoch,
        `state.superEpoch must be ${expected} after ${snapshot.round} rounds, got ${show(superEpoch)}`,
      );
    }
    this.#enterSuperEpoch(expected);
    super.load(snapshot);
  }

  protected override resume(old: this, from: Rearrangement): void {
    this.#enterSuperEpoch(old.#superEpoch);
    super.resume(old, from);
  }
}
