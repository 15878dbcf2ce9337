import { log } from "../elementary/log.js";
import { show, TsallisError } from "../errors.js";
import { addEstimate, requireEstimates } from "../kernel/estimate.js";
import { completeOptions } from "../parameters.js";
import { ARMS } from "./base/arms.js";
import type { Choice } from "./base/choice.js";
import { estimatesForHybrid, hybridLaw } from "./base/hybridLaw.js";
import { LawPolicy } from "./base/lawPolicy.js";
import type { PolicySnapshot } from "./base/policy.js";
import { type Rearrangement, rearrangedLaw } from "./base/rearrangement.js";

export const DELAYED_TSALLIS_INF_PARAMETERS = {};

/** The options of DelayedTsallisINF: the arms, and the parameters of its spec. */
export interface DelayedTsallisINFOptions {
  arms: number;
}

/**
 * Tsallis-INF for late feedback: Zimmert and Seldin, "An Optimal Algorithm for Adversarial Bandits with Arbitrary Delays" (AISTATS 2020), with
 * their simple tuning, for losses in [0, 1]:
 *
 *     F_t(x) = -2 sqrt(t) sum sqrt(x_i) + e_t sum x_i log(x_i),  e_t = sqrt(2 D_t / log K),  D_t = sum over s <= t of the feedback outstanding at s
 *
 * Outstanding at s are the rounds before s whose feedback has not come when round s is played. The policy counts them itself, as rounds played minus losses
 * received. An estimate divides by the probability in its Choice. Feedback that never comes counts as outstanding for ever. Without delays this
 * is Tsallis-INF with the importance-weighted estimator. With K = 1 there is nothing to tune. Deviation: none.
 *
 * @example
 * ```ts
 * import { DelayedTsallisINF, stream } from "tsallis";
 *
 * const policy = new DelayedTsallisINF({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 938, 42, 20 ]
 * ```
 */
export class DelayedTsallisINF extends LawPolicy {
  readonly skips = false;
  readonly #losses: Float64Array;
  readonly #law: Float64Array;
  #received = 0;
  /** D of the last round played. */
  #delay = 0;

  constructor(options: DelayedTsallisINFOptions) {
    const { arms } = completeOptions({ arms: ARMS, ...DELAYED_TSALLIS_INF_PARAMETERS }, options);
    super({ policy: "delayed-tsallis-inf" }, arms);
    this.#losses = new Float64Array(arms);
    this.#law = new Float64Array(arms);
  }

  /** The feedback outstanding before the next round. Feedback that is given twice must not make it negative. */
  #outstanding(): number {
    return Math.max(0, this.round - this.#received);
  }

  protected override law(round: number): Float64Array {
    hybridLaw(this.#losses, Math.sqrt(round), this.#entropy(), this.#law);
    return this.#law;
  }

  /** e of the next round. */
  #entropy(): number {
    const delay = this.#delay + this.#outstanding();
    return this.arms === 1 ? 0 : Math.sqrt((2 * delay) / log(this.arms));
  }

  protected override played(): void {
    this.#delay += this.#outstanding();
  }

  protected override learn({ arm, probability }: Choice, loss: number): void {
    this.#losses[arm] = addEstimate(arm, this.#losses[arm]!, loss / probability!);
    this.#received++;
  }

  /** `outstanding`: feedback that has not come; `delay`: the sum of that over all rounds. */
  override details(): Readonly<Record<string, number>> {
    return { outstanding: this.#outstanding(), delay: this.#delay };
  }

  protected override state(): Record<string, unknown> {
    return { losses: Array.from(this.#losses), received: this.#received, delay: this.#delay };
  }

  protected override load({ state }: PolicySnapshot): void {
    const { losses, received, delay } = state as { losses: unknown; received: number; delay: number };
    requireEstimates(losses, this.arms);
    if (!(Number.isSafeInteger(received) && received >= 0)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.received", received, `state.received must be an integer of at least 0, got ${show(received)}`);
    }
    if (!(typeof delay === "number" && delay >= 0 && delay <= 1e300)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.delay", delay, `state.delay must be a number of at least 0, got ${show(delay)}`);
    }
    this.#losses.set(losses);
    this.#received = received;
    this.#delay = delay;
  }

  /** Feedback of an arm that is gone stays outstanding, as all that never comes. */
  protected override resume(old: this, from: Rearrangement): void {
    super.resume(old, from);
    this.#received = old.#received;
    this.#delay = old.#delay;
    estimatesForHybrid(rearrangedLaw(old.probabilities(), from), Math.sqrt(this.round + 1), this.#entropy(), this.#losses);
  }
}
