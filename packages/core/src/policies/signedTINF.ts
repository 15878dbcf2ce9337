import { pow } from "../elementary/pow.js";
import { show, TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { type Choice, requireChoice } from "./base/choice.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { FTRL_OPTIONS, Ftrl, type FtrlOptions } from "./base/ftrl.js";
import { ALPHA, SIGMA } from "./base/sharedParameters.js";

export const SIGNED_TINF_PARAMETERS = {
  alpha: ALPHA,
  sigma: SIGMA,
  theta: { type: "number", above: 0, atMost: 1, optional: true, description: "factor of the clipping limit; by default 0.4 (alpha - 1)" },
  ...FORGETTING_PARAMETERS,
} as const satisfies Parameters;

/** The options of SignedTINF: the arms, and the parameters of its spec. */
export interface SignedTINFOptions extends FtrlOptions {
  alpha: number;
  sigma: number;
  /** The factor of the clipping limit. */
  theta?: number;
}

/**
 * SignedTINF, a policy of this library: HTINF (Huang, Dai and Huang, ICML 2022) for losses of either sign. The paper's policies skip large losses and therefore need the
 * best arm's rare huge values to be losses. This one clips them, and a bonus makes up for what clipping hides: no assumption is left but the moment.
 * Zhao, Ito and Li (arXiv 2508.13679) announce bonuses for the same purpose (we have read the abstract only). The proof is in docs/reference/signed-tinf-proof.md.
 *
 *     h = sigma t^(1/alpha);  x = argmin <L, x> - alpha h sum x_i^(1/alpha)
 *     play i ~ x, observe the loss;  c = the loss, clipped at r = Theta h x_i^(1/alpha)
 *     L_j *= ((t - 1) / t)^q for every arm j;  L_i += c / x_i         q = kappa Theta^(1-alpha), kappa = (alpha-1)^(alpha-1) / alpha^alpha
 *
 * Why shrinking is a bonus. Clipping at r hides at most kappa sigma^alpha r^(1-alpha) of a mean, which is q / t times the arm's gap to nu (see kernel.ts). So taking the bonus
 * off every estimate multiplies all differences between estimates by 1 - q / t, and ((t - 1) / t)^q is a little less than that if q <= 1. No arm has to be touched:
 * the loss of round s counts s^q, and h grows with it.
 *
 * With a half-life sigma grows with the weights w_s = 2^(s / H), and t becomes the sum n of (w_s / w_t)^alpha, as in HTINF. Then s^q is (w_s^alpha n_s)^q.
 * Late feedback counts as much as if it had come at once, clipped at the limit of its own round.
 *
 * The kernel's estimates are in units of sigma.
 *
 * @example
 * ```ts
 * import { SignedTINF, stream } from "tsallis";
 *
 * // Arm 0 pays 20 once in 20 rounds, the others pay 0.5 and 0.2 in every round. Rewards are negative losses.
 * const policy = new SignedTINF({ arms: 3, alpha: 2, sigma: Math.sqrt(20) });
 * const [rng, luck] = [stream(7, "policy"), stream(7, "luck")];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 20_000; i++) {
 *   const choice = policy.choose(rng);
 *   const reward = [luck.uniform() < 0.05 ? 20 : 0, 0.5, 0.2][choice.arm];
 *   policy.update(choice, -reward);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 19080, 605, 315 ]
 * ```
 */
export class SignedTINF extends Ftrl {
  readonly #alpha: number;
  readonly #sigma: number;
  readonly #theta: number;
  /** q: what clipping may hide, as a share of the gap times t. */
  readonly #hidden: number;

  constructor(options: SignedTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...SIGNED_TINF_PARAMETERS }, options);
    const { alpha, sigma } = parameters;
    super({ policy: "signed-tinf", ...parameters }, arms, { kernel, exponent: alpha / (alpha - 1) });
    this.#alpha = alpha;
    this.#sigma = sigma;
    this.#theta = parameters.theta ?? 0.4 * (alpha - 1);
    this.#hidden = pow((alpha - 1) / this.#theta, alpha - 1) / pow(alpha, alpha);
    if (parameters.theta !== undefined) requireProved(parameters.theta, this.#hidden, alpha);
  }

  protected override weight(round: number): number {
    return this.#age(round) * pow(this.elapsed(round, this.#alpha), this.#hidden);
  }

  /** What a half-life adds to a round's weight: w^(1 + alpha q). */
  #age(round: number): number {
    return this.#power(super.weight(round));
  }

  #power(weight: number): number {
    return weight === 1 ? 1 : pow(weight, 1 + this.#alpha * this.#hidden);
  }

  /** The estimates have the weights of the rounds before this one. In round 1 they are all equal, and any h will do. */
  protected override inverseRate(round: number): number {
    const elapsed = this.elapsed(round, this.#alpha);
    return round === 1 ? 1 : this.#age(round) * pow(elapsed, 1 / this.#alpha) * pow(elapsed - 1, this.#hidden);
  }

  protected override knownCostFactor(round: number): number {
    return super.knownCostFactor(round) / this.#sigma;
  }

  /** r of a Choice, in units of sigma. */
  #limit({ round, probability }: Choice): number {
    return this.#theta * pow(this.elapsed(round, this.#alpha) * probability!, 1 / this.#alpha);
  }

  /** True if the loss is clipped: every larger one then counts the same. */
  isSettled(choice: Choice, loss: number): boolean {
    requireChoice(choice, this);
    return loss / this.#sigma >= this.#limit(choice);
  }

  protected override learn(choice: Choice, loss: number): void {
    const limit = this.#limit(choice);
    const clipped = Math.max(-limit, Math.min(loss / this.#sigma, limit));
    if (clipped !== 0) this.kernel.add(choice.arm, (this.weight(choice.round) * clipped) / choice.probability!);
  }

  protected override shrink(factor: number): void {
    super.shrink(this.#power(factor));
  }
}

/** Refuses a theta that the proof does not cover. */
function requireProved(theta: number, hidden: number, alpha: number): void {
  if (hidden <= 1 && theta < pow(2, -hidden)) return;
  const needed = `must have q = ((alpha - 1) / theta)^(alpha - 1) / alpha^alpha <= 1 and be below 2^-q`;
  throw new TsallisError("ERR_PARAMETER", "theta", theta, `theta ${needed}, got ${show(theta)} with q = ${show(hidden)} at alpha = ${show(alpha)}`);
}
