import { show, TsallisError } from "../../errors.js";
import { draw, type Rng } from "../../random/rng.js";
import { requireArm } from "../../requireArm.js";
import { type Choice, requireChoice } from "./choice.js";
import { refuseForesight } from "./foresight.js";
import { type Policy, type PolicySnapshot, type PolicySpec, SNAPSHOT_VERSION } from "./policy.js";
import { carry, type Rearrangement } from "./rearrangement.js";
import { requireLoss } from "./requireLoss.js";
import { requireCounts, requireInteger } from "./requireNumbers.js";
import { requireSnapshot } from "./requireSnapshot.js";
import { Shaped } from "./shaped.js";

/** How an index policy differs from the plain one. */
export interface IndexKind {
  /** Whether the indices are drawn; then the probability of an arm is unknown. */
  readonly perturbed?: boolean;
  /** The last round that may be played. */
  readonly horizon?: number;
}

/**
 * A policy that plays the arm with the smallest index, and among equal ones the lowest arm. Arms without feedback come before all others, the least
 * played of them first. A subclass writes `indices`, which fills in the index of every arm (each has feedback by then; no NaN; it draws from
 * `rng` only if perturbed), and `learn`, which takes in one checked loss; if it must throw, it throws before it changes anything. It can read `plays`
 * (counted when an arm is chosen or forced) and `samples` (counted when feedback comes, after `learn`). `state` and `load` carry what it keeps
 * besides these two. A policy with a schedule overrides `pick`, which must not change anything because `probabilities` and `force` call it too, and
 * records in `played` what has been played. A policy that sometimes plays a random arm overrides `exploration`.
 * Without perturbation the probabilities are one-hot, and the Choice of any other arm that is forced has probability 0: nothing divides by it.
 */
export abstract class IndexPolicy extends Shaped implements Policy {
  readonly skips = false;
  readonly weighs = false;
  protected readonly plays: Float64Array;
  protected readonly samples: Float64Array;
  readonly #perturbed: boolean;
  readonly #horizon: number;
  readonly #indices: Float64Array;
  #round = 0;
  /** The number of arms without feedback. */
  #unknown: number;
  /** Plays of arms that are gone. */
  #gone = 0;

  protected constructor(spec: PolicySpec, arms: number, { perturbed = false, horizon = Number.MAX_SAFE_INTEGER }: IndexKind = {}) {
    super(spec, arms);
    this.plays = new Float64Array(arms);
    this.samples = new Float64Array(arms);
    this.#perturbed = perturbed;
    this.#horizon = horizon;
    this.#indices = new Float64Array(arms);
    this.#unknown = arms;
  }

  get round(): number {
    return this.#round;
  }

  /** Fills in the index of every arm for a round. */
  protected abstract indices(round: number, into: Float64Array, rng: Rng): void;

  protected abstract learn(choice: Choice, loss: number): void;

  protected played(_arm: number, _round: number): void {}

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

  probabilities(ahead?: ArrayLike<number>): Float64Array | null {
    refuseForesight(this.spec.policy, ahead);
    if (this.#perturbed) return null;
    const round = this.#round + 1;
    const explored = this.exploration(round);
    const probabilities = new Float64Array(this.arms).fill(explored / this.arms);
    probabilities[this.pick(round, NO_RNG)]! += 1 - explored;
    return probabilities;
  }

  choose(rng: Rng, into?: Choice, ahead?: ArrayLike<number>, except?: readonly number[]): Choice {
    refuseForesight(this.spec.policy, ahead, except);
    const u = draw(rng);
    const choice = this.#blank(into);
    const round = this.#nextRound();
    const picked = this.pick(round, rng);
    const explored = this.exploration(round);
    const arm = u < explored ? Math.min(Math.floor((u / explored) * this.arms), this.arms - 1) : picked;
    return this.#play(round, arm, picked, explored, choice);
  }

  force(arm: number, into?: Choice, ahead?: ArrayLike<number>): Choice {
    requireArm(arm, this.arms);
    refuseForesight(this.spec.policy, ahead);
    const choice = this.#blank(into);
    const round = this.#nextRound();
    return this.#play(round, arm, this.#perturbed ? -1 : this.pick(round, NO_RNG), this.exploration(round), choice);
  }

  #nextRound(): number {
    if (this.#round < this.#horizon) return this.#round + 1;
    const message = `all ${this.#horizon} rounds are played; give a larger horizon`;
    throw new TsallisError("ERR_HORIZON", "horizon", this.#horizon, message);
  }

  /** The Choice to fill. Its first field is written before anything moves, so that an object that cannot be written throws here. */
  #blank(into: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: null }): Choice {
    into.policy = this.fingerprint;
    return into;
  }

  #play(round: number, arm: number, picked: number, explored: number, choice: Choice): Choice {
    choice.round = round;
    choice.arm = arm;
    choice.probability = this.#perturbed ? null : explored / this.arms + (arm === picked ? 1 - explored : 0);
    choice.threshold = null;
    this.plays[arm]!++;
    this.#round = round;
    this.played(arm, round);
    return choice;
  }

  update(choice: Choice, loss: number): void {
    requireChoice(choice, this);
    requireLoss(loss);
    this.learn(choice, loss);
    if (this.samples[choice.arm] === 0) this.#unknown--;
    this.samples[choice.arm]!++;
  }

  details(): Readonly<Record<string, number>> {
    return {};
  }

  snapshot(): PolicySnapshot {
    const gone = this.isRearranged ? { gone: this.#gone } : {};
    const state = { plays: Array.from(this.plays), samples: Array.from(this.samples), ...gone, ...this.state() };
    return { version: SNAPSHOT_VERSION, spec: this.spec, arms: this.arms, ...this.shapeFields(), round: this.#round, state };
  }

  /** The state besides plays, samples and the plays of arms that are gone, by name. */
  protected abstract state(): Record<string, unknown>;

  restore(snapshot: PolicySnapshot): void {
    this.takeShape(snapshot);
    requireSnapshot(snapshot, this, ["plays", "samples", ...(this.isRearranged ? ["gone"] : []), ...Object.keys(this.state())]);
    const { round, state } = snapshot;
    if (round > this.#horizon) {
      throw new TsallisError("ERR_SNAPSHOT", "round", round, `round must be at most the horizon, ${this.#horizon}, got ${round}`);
    }
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
    this.#round = round;
    this.load(state);
  }

  /** Checks the state that `state` returned and restores it; plays and samples are restored already. */
  protected abstract load(state: Readonly<Record<string, unknown>>): void;

  protected override resume(old: this, from: Rearrangement): void {
    this.#round = old.#round;
    this.plays.set(carry(old.plays, from, 0));
    this.samples.set(carry(old.samples, from, 0));
    this.#unknown = this.samples.filter((count) => count === 0).length;
    this.#gone = this.plays.reduce((rest, count) => rest - count, this.#round);
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
