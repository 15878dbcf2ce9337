import { log } from "../elementary/log.js";
import { show, TsallisError } from "../errors.js";
import { addEstimate, requireEstimates } from "../kernel/estimate.js";
import { completeOptions } from "../parameters.js";
import type { Choice } from "./base/choice.js";
import type { PolicySnapshot } from "./base/policy.js";
import { ProbabilityPolicy } from "./base/probabilityPolicy.js";
import { type Rearrangement, rearrangedProbabilities } from "./base/rearrangement.js";
import { ARMS } from "./base/sharedParameters.js";

export const DELAYED_TSALLIS_INF_PARAMETERS = {};

/** The options of DelayedTsallisINF: the arms, and the parameters of its spec. */
export interface DelayedTsallisINFOptions {
  arms: number;
}

/** More steps than any start needs. After them the solution is normalised as it is. */
const MOST_STEPS = 100;
const TOLERANCE = 1e-15;

/**
 * Tsallis-INF for late feedback: Zimmert and Seldin, "An Optimal Algorithm for Adversarial Bandits with Arbitrary Delays" (AISTATS 2020), with
 * their simple tuning, for losses in [0, 1]:
 *
 *     F_t(x) = -2 sqrt(t) sum sqrt(x_i) + e_t sum x_i log(x_i),  e_t = sqrt(2 D_t / log K),  D_t = sum over s <= t of the feedback outstanding at s
 *
 * Outstanding at s are the rounds before s whose feedback has not come when round s is played. The policy counts them itself, as rounds played minus losses
 * received. An estimate divides by the probability in its Choice. Feedback that never comes counts as outstanding for ever. Without delays this
 * is Tsallis-INF with the importance-weighted estimator. With K = 1 there is nothing to tune. Deviation: none.
 */
export class DelayedTsallisINF extends ProbabilityPolicy {
  readonly skips = false;
  readonly #losses: Float64Array;
  readonly #probabilities: Float64Array;
  #received = 0;
  /** D of the last round played. */
  #delay = 0;

  constructor(options: DelayedTsallisINFOptions) {
    const { arms } = completeOptions({ arms: ARMS, ...DELAYED_TSALLIS_INF_PARAMETERS }, options);
    super({ policy: "delayed-tsallis-inf" }, arms);
    this.#losses = new Float64Array(arms);
    this.#probabilities = new Float64Array(arms);
  }

  /** The feedback outstanding after so many rounds. Feedback that is given twice must not make it negative. */
  #outstanding(rounds: number): number {
    return Math.max(0, rounds - this.#received);
  }

  protected override probabilitiesIn(round: number): Float64Array {
    hybridProbabilities(this.#losses, Math.sqrt(round), this.#entropy(), this.#probabilities);
    return this.#probabilities;
  }

  /** e of the next round. */
  #entropy(): number {
    const delay = this.#delay + this.#outstanding(this.round);
    return this.arms === 1 ? 0 : Math.sqrt((2 * delay) / log(this.arms));
  }

  protected override played(round: number): void {
    this.#delay += this.#outstanding(round - 1);
  }

  protected override learn({ arm, probability }: Choice, loss: number): void {
    this.#losses[arm] = addEstimate(arm, this.#losses[arm]!, loss / probability!);
    this.#received++;
  }

  /** `outstanding`: feedback that has not come; `delay`: the sum of that over all rounds. */
  override details(): Readonly<Record<string, number>> {
    return { outstanding: this.#outstanding(this.round), delay: this.#delay };
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
    this.#received = old.#received;
    this.#delay = old.#delay;
    estimatesForHybrid(rearrangedProbabilities(old.probabilities(), from), Math.sqrt(this.round + 1), this.#entropy(), this.#losses);
  }
}

/**
 * Fills in x = argmin over the simplex of <x, L> - 2 s sum sqrt(x_i) + e sum x_i log(x_i), the hybrid regulariser of Zimmert and Seldin (AISTATS 2020).
 *
 * With u_i = x_i^(-1/2) and rho = 2 e / s, optimality reads u_i + rho log(u_i) = z + (L_i - min L) / s for one z, which lies between 1 (the best
 * arm has everything) and the z of the uniform distribution. S(z) = sum u_i^-2 falls from at least 1 to at most 1 in between. The search is Newton's on S^(-1/2),
 * which is nearly a straight line as in the kernels, inside that bracket. All starts are cold, so the result depends on its arguments alone.
 */
export function hybridProbabilities(losses: Float64Array, s: number, e: number, into: Float64Array): void {
  const arms = losses.length;
  const rho = (2 * e) / s;
  let smallest = losses[0]!;
  for (let i = 1; i < arms; i++) if (losses[i]! < smallest) smallest = losses[i]!;
  let low = 1;
  let high = Math.sqrt(arms) + 0.5 * rho * log(arms);
  let z = low;
  let total = 1;
  for (let step = 1; step <= MOST_STEPS; step++) {
    total = 0;
    let slope = 0;
    for (let i = 0; i < arms; i++) {
      const y = z + (losses[i]! - smallest) / s;
      const u = inverse(y, rho, step === 1 ? 1 : into[i]!);
      into[i] = u;
      total += 1 / (u * u);
      slope += 1 / (u * u * (u + rho));
    }
    if (total > 1) low = z;
    else high = z;
    const following = z + (total * (Math.sqrt(total) - 1)) / slope;
    // A step onto an end of the bracket is allowed, because the uniform distribution is the upper end itself.
    const next = following >= low && following <= high ? following : 0.5 * (low + high);
    if (Math.abs(total - 1) <= TOLERANCE || Math.abs(next - z) <= TOLERANCE * z) break;
    z = next;
  }
  for (let i = 0; i < arms; i++) into[i] = 1 / (into[i]! * into[i]!) / total;
}

/** Fills in the estimates, counted from the smallest, whose probabilities are x: the equation above, read from right to left. What has underflowed counts as the smallest double. */
function estimatesForHybrid(probabilities: Float64Array, s: number, e: number, into: Float64Array): void {
  for (let i = 0; i < probabilities.length; i++) {
    const u = 1 / Math.sqrt(Math.max(probabilities[i]!, Number.MIN_VALUE));
    into[i] = s * u + 2 * e * log(u);
  }
  const least = into.reduce((a, b) => Math.min(a, b));
  for (let i = 0; i < into.length; i++) into[i]! -= least;
}

/** The u >= 1 with u + rho log(u) = y. Newton's steps rise to it from the left; from the right they land on its left or below 1. */
function inverse(y: number, rho: number, start: number): number {
  if (rho === 0) return y;
  let u = start;
  for (let step = 1; step <= MOST_STEPS; step++) {
    const next = Math.max(1, (u / (u + rho)) * (rho * (1 - log(u)) + y));
    const settled = Math.abs(next - u) <= TOLERANCE * u;
    u = next;
    if (settled) break;
  }
  return u;
}
