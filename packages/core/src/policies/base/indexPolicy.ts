import { show, TsallisError } from "../../errors.js";
import type { Rng } from "../../random/rng.js";
import { BasePolicy } from "./basePolicy.js";
import type { Choice } from "./choice.js";
import { requireKnownCosts } from "./knownCosts.js";
import type { PolicySnapshot, PolicySpec } from "./policy.js";
import { carry, type Rearrangement } from "./rearrangement.js";
import { requireCounts, requireInteger } from "./snapshotState.js";

/**
 * A policy that plays the arm with the smallest index, and among equal ones the lowest arm. Arms without feedback come before all others, the least
 * played of them first. A subclass writes `indices`, which fills in the index of every arm (each has feedback by then; no NaN; it draws from
 * `rng` only if perturbed), and `learn`, which takes in one checked loss; if it must throw, it throws before it changes anything. It can read `plays`
 * (counted when an arm is chosen or forced) and `samples` (counted when feedback comes, after `learn`). `state` and `load` carry what it keeps
 * besides these two. A policy with a schedule overrides `pick`, which must not change anything because `probabilities` and `force` call it too, and
 * records in `played` what has been played. A policy that sometimes plays a random arm overrides `exploration`.
 * Without perturbation the probabilities are one-hot, and the Choice of any other arm that is forced has probability 0: nothing divides by it.
 */
export abstract class IndexPolicy extends BasePolicy {
  readonly skips = false;
  readonly weighs = false;
  protected readonly plays: Float64Array;
  protected readonly samples: Float64Array;
  readonly #perturbed: boolean;
  readonly #indices: Float64Array;
  /** The number of arms without feedback. */
  #unknown: number;
  /** Plays of arms that are gone. */
  #gone = 0;

  /** `perturbed`: the indices are drawn, so the probability of an arm is unknown. */
  protected constructor(spec: PolicySpec, arms: number, perturbed = false) {
    super(spec, arms);
    this.plays = new Float64Array(arms);
    this.samples = new Float64Array(arms);
    this.#perturbed = perturbed;
    this.#indices = new Float64Array(arms);
    this.#unknown = arms;
  }

  /** Fills in the index of every arm for a round. */
  protected abstract indices(round: number, into: Float64Array, rng: Rng): void;

  /** The probability of replacing the pick with an arm drawn uniformly from all. */
  protected exploration(_round: number): number {
    return 0;
  }

  /** The arm for a round. */
  protected pick(round: number, rng: Rng): number {
    if (this.#unknown > 0) return this.#leastPlayedUnknown();
    const indices = this.#indices;
    this.indices(round, indices, rng);
    let best = 0;
    for (let i = 1; i < indices.length; i++) if (indices[i]! < indices[best]!) best = i;
    return best;
  }

  #leastPlayedUnknown(): number {
    let best = -1;
    for (let i = 0; i < this.arms; i++) {
      if (this.samples[i] === 0 && (best < 0 || this.plays[i]! < this.plays[best]!)) best = i;
    }
    return best;
  }

  /** The probabilities of the next choice; see `Policy`. */
  override probabilities(knownCosts?: ArrayLike<number>): Float64Array | null {
    if (knownCosts !== undefined) requireKnownCosts(knownCosts, this);
    if (this.#perturbed) return null;
    const round = this.round + 1;
    const explored = this.exploration(round);
    const probabilities = new Float64Array(this.arms).fill(explored / this.arms);
    probabilities[this.pick(round, NO_RNG)]! += 1 - explored;
    return probabilities;
  }

  protected override drawInto(choice: Choice, round: number, u: number, rng: Rng): void {
    const picked = this.pick(round, rng);
    const explored = this.exploration(round);
    const arm = u < explored ? Math.min(Math.floor((u / explored) * this.arms), this.arms - 1) : picked;
    this.#fill(choice, arm, picked, explored);
  }

  protected override forceInto(choice: Choice, round: number, arm: number): void {
    this.#fill(choice, arm, this.#perturbed ? -1 : this.pick(round, NO_RNG), this.exploration(round));
  }

  #fill(choice: Choice, arm: number, picked: number, explored: number): void {
    choice.arm = arm;
    choice.probability = this.#perturbed ? null : explored / this.arms + (arm === picked ? 1 - explored : 0);
    choice.threshold = null;
  }

  protected override played(_round: number, arm: number): void {
    this.plays[arm]!++;
  }

  /** Learns what a choice has cost; see `Policy`. */
  override update(choice: Choice, loss: number): void {
    super.update(choice, loss);
    if (this.samples[choice.arm] === 0) this.#unknown--;
    this.samples[choice.arm]!++;
  }

  protected override state(): Record<string, unknown> {
    return { plays: Array.from(this.plays), samples: Array.from(this.samples), ...(this.isRearranged && { gone: this.#gone }) };
  }

  protected override load({ round, state }: PolicySnapshot): void {
    requireCounts(state.plays, "state.plays", this.arms);
    requireCounts(state.samples, "state.samples", this.arms);
    const { plays, samples } = state;
    const gone = this.isRearranged ? state.gone : 0;
    requireInteger(gone, "state.gone", 0, round);
    if (plays.reduce((sum, count) => sum + count, gone) !== round || samples.some((count, arm) => count > 0 && plays[arm] === 0)) {
      const message = `state.plays must sum to the round, ${round}, less the ${gone} plays of arms that are gone, and count every arm that has samples, got ${show(plays)}`;
      throw new TsallisError("ERR_SNAPSHOT", "state.plays", plays, message);
    }
    this.plays.set(plays);
    this.samples.set(samples);
    this.#unknown = samples.filter((count) => count === 0).length;
    this.#gone = gone;
  }

  protected override resume(old: this, from: Rearrangement): void {
    this.plays.set(carry(old.plays, from, 0));
    this.samples.set(carry(old.samples, from, 0));
    this.#unknown = this.samples.filter((count) => count === 0).length;
    this.#gone = this.plays.reduce((rest, count) => rest - count, this.round);
  }
}

/** For indices that draw nothing. */
const NO_RNG: Rng = {
  uniform() {
    throw new Error("an index that draws must be declared perturbed");
  },
  open() {
    throw new Error("an index that draws must be declared perturbed");
  },
};
