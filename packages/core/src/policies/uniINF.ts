import { log } from "../elementary/log.js";
import { show, TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Choice } from "./base/choice.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { FTRL_OPTIONS, Ftrl, type FtrlOptions } from "./base/ftrl.js";
import type { PolicySnapshot } from "./base/policy.js";
import type { Rearrangement } from "./base/rearrangement.js";
import { HORIZON } from "./base/sharedParameters.js";

export const UNI_INF_PARAMETERS = {
  horizon: { ...HORIZON, description: "number of rounds that will be played; the rate uses only its logarithm" },
  ...FORGETTING_PARAMETERS,
} as const satisfies Parameters;

/** The options of UniINF: the arms, and the parameters of its spec. */
export interface UniINFOptions extends FtrlOptions {
  horizon: number;
}

/** S_1. */
const FIRST_SCALE = 4;
/** S K, the largest gap at equal estimates, stays below this. */
const LARGEST_SCALE = 1e307;

/**
 * uniINF (Chen, Huang, Dai and Huang, ICLR 2025): best of both worlds without alpha and sigma, by FTRL with the log-barrier,
 *
 *     x = argmin <L, x> - S_t sum log(x_i), so x_i = S_t / g_i: the kernel's exponent is 1,
 *     C = S_t / (4 (1 - x_i)); a loss above C in size is skipped by the learner; clipped to [-C, C] it feeds the rate:
 *     S_{t+1}^2 = S_t^2 + clipped^2 (1 - x_i)^2 / (K log max(T, 2)), S_1 = 4.
 *
 * Experimental: neither the formulas nor S_1 = 4 were compared with the paper (arXiv 2410.03284). Derived here: with the loss subtracted from all
 * estimates, C keeps x_j |estimate_j| at most S_t / 4, as the log-barrier's stability needs, and S grows so that its penalty equals the stability term.
 * Deviation: a loss of size exactly C is learnt (the pseudo-code is said to skip it).
 * With K = 1 nothing is learnt: 1 - x = 0. Late feedback: x_i and C come with the Choice, and S is the present one. It is never smaller than
 * the round's, so a loss raises S^2 by at most the fraction 1 / (16 K log T), however late it comes.
 */
export class UniINF extends Ftrl {
  override readonly skips = true;
  readonly #weight: number;
  #scale = FIRST_SCALE;

  constructor(options: UniINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...UNI_INF_PARAMETERS }, options);
    const { horizon } = parameters;
    super({ policy: "uniinf", ...parameters }, arms, { kernel, exponent: 1 });
    this.#weight = 1 / (arms * log(Math.max(horizon, 2)));
  }

  /** With a half-life S fades, but not below S_1. */
  protected override inverseRate(round: number): number {
    return Math.max(this.#scale, FIRST_SCALE * this.weight(round));
  }

  protected override threshold(_arm: number, probability: number): number {
    // With one arm 1 - x is only rounding.
    return this.arms === 1 ? Number.MAX_VALUE : Math.min(this.inverseRate(this.round + 1) / (4 * (1 - probability)), Number.MAX_VALUE);
  }

  protected override learn(choice: Choice, loss: number): void {
    if (this.arms === 1) return;
    const clipped = this.weight(choice.round) * Math.min(Math.abs(loss), choice.threshold!);
    // At most 1/4; forming S^2 itself would overflow.
    const before = this.inverseRate(this.round);
    const ratio = (clipped / before) * (1 - choice.probability!);
    const scale = before * Math.sqrt(1 + ratio * ratio * this.#weight);
    if (!(scale * this.arms <= LARGEST_SCALE)) {
      const message = `after a loss of ${show(loss)} the learning rate would leave the range of a double; divide all losses by a constant`;
      throw new TsallisError("ERR_OVERFLOW", "loss", loss, message);
    }
    super.learn(choice, loss);
    this.#scale = scale;
  }

  protected override shrink(factor: number): void {
    super.shrink(factor);
    this.#scale *= factor;
  }

  /** `scale`: S, the inverse of the learning rate. */
  override details(): Readonly<Record<string, number>> {
    return { scale: this.inverseRate(this.round) / this.weight(this.round) };
  }

  protected override state(): Record<string, unknown> {
    return { ...super.state(), scale: this.#scale };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { scale } = snapshot.state as { scale: number };
    const least = this.spec.halfLife === undefined ? FIRST_SCALE : 0;
    if (!(typeof scale === "number" && scale >= least && scale * this.arms <= LARGEST_SCALE)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.scale", scale, `state.scale must be from ${least} to 1e307 / arms, got ${show(scale)}`);
    }
    super.load(snapshot);
    this.#scale = scale;
  }

  protected override resume(old: this, from: Rearrangement): void {
    this.#scale = Math.min(old.#scale, LARGEST_SCALE / this.arms);
    super.resume(old, from);
  }
}
