import { exp } from "../../elementary/exp.js";
import { log } from "../../elementary/log.js";
import { addEstimate, requireEstimates } from "../../kernel/estimate.js";
import type { Choice } from "./choice.js";
import type { PolicySnapshot, PolicySpec } from "./policy.js";
import { ProbabilityPolicy } from "./probabilityPolicy.js";
import { type Rearrangement, rearrangedProbabilities } from "./rearrangement.js";

/**
 * The base of the EXP3 family: rho_i proportional to exp(-eta_t L_i), computed from L_i - min L, so that neither overflow nor underflow makes a NaN,
 * and estimates L that divide a loss by the probability in its Choice. A subclass defines eta_t. It may also replace the importance-weighted
 * loss that is added to L, and mix rho with exploration.
 */
export abstract class ExponentialWeights extends ProbabilityPolicy {
  readonly skips = false;
  readonly #losses: Float64Array;
  readonly #probabilities: Float64Array;

  protected constructor(spec: PolicySpec, arms: number) {
    super(spec, arms);
    this.#losses = new Float64Array(arms);
    this.#probabilities = new Float64Array(arms);
  }

  /** eta for a round. */
  protected abstract rate(round: number): number;

  /** The amount added to the estimate of the arm that was played. */
  protected estimate(choice: Choice, loss: number): number {
    return loss / choice.probability!;
  }

  /** Turns rho into the probabilities of a round, in place. */
  protected mix(_rho: Float64Array, _round: number): void {}

  protected override probabilitiesIn(round: number): Float64Array {
    const x = this.#rho(round);
    this.mix(x, round);
    return x;
  }

  #rho(round: number): Float64Array {
    const losses = this.#losses;
    const x = this.#probabilities;
    const rate = this.rate(round);
    let smallest = losses[0]!;
    for (let i = 1; i < losses.length; i++) if (losses[i]! < smallest) smallest = losses[i]!;
    let total = 0;
    for (let i = 0; i < losses.length; i++) {
      const weight = exp(-rate * (losses[i]! - smallest));
      x[i] = weight;
      total += weight;
    }
    for (let i = 0; i < x.length; i++) x[i]! /= total;
    return x;
  }

  protected override learn(choice: Choice, loss: number): void {
    const { arm } = choice;
    this.#losses[arm] = addEstimate(arm, this.#losses[arm]!, this.estimate(choice, loss));
  }

  protected override state(): Record<string, unknown> {
    return { losses: Array.from(this.#losses) };
  }

  protected override load({ state }: PolicySnapshot): void {
    const { losses } = state;
    requireEstimates(losses, this.arms);
    this.#losses.set(losses);
  }

  /** It is rho that is rearranged: exploration is mixed in afterwards, as in every round. A weight that has underflowed gets that of the smallest double. */
  protected override resume(old: this, from: Rearrangement): void {
    const round = this.round + 1;
    const rate = this.rate(round);
    // With one arm the rate is 0, and all estimates are alike.
    if (rate === 0) return;
    const logs = rearrangedProbabilities(old.#rho(round), from).map((rho) => log(Math.max(rho, Number.MIN_VALUE)));
    const most = logs.reduce((a, b) => Math.max(a, b));
    this.#losses.set(logs.map((each) => (most - each) / rate));
  }
}
