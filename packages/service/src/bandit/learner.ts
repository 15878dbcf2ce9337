import { type Choice, createPolicy, type Policy, restorePolicy, stream, Xoshiro128 } from "tsallis";
import type { LearnerSnapshot } from "../log/event.js";
import type { Document } from "../schemas.js";
import { LearnerSteps } from "./learnerSteps.js";
import { toPlain, toTyped } from "./typedNumbers.js";

/** How a decision was made, as its event records it. */
export interface Drawn {
  readonly number: number;
  readonly round: number | null;
  readonly probability: number | null;
  readonly threshold: number | null;
  readonly holdout: boolean;
  readonly probabilities?: readonly number[];
}

/** What learning from a decision needs: the Choice, without the policy's id. */
export type Learnable = Pick<Drawn, "number" | "round" | "probability" | "threshold">;

/** The probabilities are logged once in this time, if they are few. */
const PROBABILITIES_EVERY_MS = 10_000;
const MOST_PROBABILITIES = 20;
/** Steps after which a mark takes a new snapshot. To do them again takes a few milliseconds at most. */
const MOST_STEPS = 256;

/** A snapshot that stays in memory. */
type Base = Omit<LearnerSnapshot, "policy"> & { readonly policy: unknown };

/** One segment of a bandit: a policy with its generator, and the generator of the holdout. It knows its arms by their numbers. */
export class Learner {
  #policy: Policy;
  #arms: readonly number[];
  #rng: Xoshiro128;
  #holdoutRng: Xoshiro128;
  #probabilitiesAt: number;
  /** A snapshot, and what it did since; null before the first mark, and after what cannot be done again from these steps. */
  #base: Base | null = null;
  readonly #since = new LearnerSteps();
  /** The last mark: its snapshot, and how many steps there were since. */
  #marked: Base | null = null;
  #steps = 0;
  /** The turn that the mark belongs to. */
  #turn = 0;

  private constructor(policy: Policy, arms: readonly number[], rng: Xoshiro128, holdoutRng: Xoshiro128, probabilitiesAt: number) {
    this.#policy = policy;
    this.#arms = arms;
    this.#rng = rng;
    this.#holdoutRng = holdoutRng;
    this.#probabilitiesAt = probabilitiesAt;
  }

  static fresh({ policy, seed }: Document, arms: readonly number[], segment: string): Learner {
    return new Learner(createPolicy(policy, arms.length), arms, stream(seed, "segment", segment), stream(seed, "holdout", segment), 0);
  }

  static restore({ policy, arms, rng, holdoutRng, probabilitiesAt }: LearnerSnapshot): Learner {
    return new Learner(restorePolicy(policy), arms, new Xoshiro128(rng), new Xoshiro128(holdoutRng), probabilitiesAt);
  }

  snapshot(): LearnerSnapshot {
    return {
      policy: this.#policy.snapshot(),
      arms: this.#arms,
      rng: this.#rng.state(),
      holdoutRng: this.#holdoutRng.state(),
      probabilitiesAt: this.#probabilitiesAt,
    };
  }

  /**
   * Marks the place that `reset` goes back to, once for each turn; false if it has. A snapshot costs as much as the learner has arms, so there is one for many
   * marks, and what was done since is done again.
   */
  mark(turn: number): boolean {
    if (this.#turn === turn) return false;
    this.#turn = turn;
    if (this.#base === null || this.#since.count >= MOST_STEPS) {
      const snapshot = this.snapshot();
      this.#base = { ...snapshot, policy: toTyped(snapshot.policy) };
      this.#since.truncate(0);
    }
    this.#marked = this.#base;
    this.#steps = this.#since.count;
    return true;
  }

  /** Goes back to the last mark. */
  reset(): void {
    const base = this.#marked!;
    this.#base = null;
    this.#policy = restorePolicy(toPlain(base.policy));
    this.#arms = base.arms;
    this.#rng = new Xoshiro128(base.rng);
    this.#holdoutRng = new Xoshiro128(base.holdoutRng);
    this.#probabilitiesAt = base.probabilitiesAt;
    this.#since.truncate(this.#steps);
    this.#since.repeat(this);
    this.#base = base;
  }

  get round(): number {
    return this.#policy.round;
  }

  /** Draws an arm: uniformly, with the probability `holdout`, and otherwise by the policy. If the policy refuses, nothing has moved. */
  decide(holdout: number, at: number): Drawn {
    const drawn = this.#decide(holdout, at);
    if (this.#base !== null) this.#since.addDecision(holdout, at);
    return drawn;
  }

  #decide(holdout: number, at: number): Drawn {
    if (holdout > 0) {
      const before = this.#holdoutRng.state();
      if (this.#holdoutRng.uniform() < holdout) {
        const { length } = this.#arms;
        const number = this.#arms[Math.floor(this.#holdoutRng.uniform() * length)]!;
        return { number, round: null, probability: 1 / length, threshold: null, holdout: true };
      }
      return this.#draw(at, () => {
        this.#holdoutRng = new Xoshiro128(before);
      });
    }
    return this.#draw(at, () => {});
  }

  #draw(at: number, undo: () => void): Drawn {
    const before = this.#rng.state();
    try {
      const probabilities =
        at - this.#probabilitiesAt >= PROBABILITIES_EVERY_MS && this.#policy.arms <= MOST_PROBABILITIES ? this.#policy.probabilities() : null;
      const { arm, round, probability, threshold } = this.#policy.choose(this.#rng);
      const drawn = { number: this.#arms[arm]!, round, probability, threshold, holdout: false };
      if (probabilities === null) return drawn;
      this.#probabilitiesAt = at;
      return { ...drawn, probabilities: Array.from(probabilities) };
    } catch (error) {
      this.#rng = new Xoshiro128(before);
      undo();
      throw error;
    }
  }

  /** Takes a recorded decision as it is, where it cannot be recomputed. */
  force({ number, holdout }: Drawn): void {
    if (!holdout) this.#policy.force(this.#arms.indexOf(number));
    this.#base = null;
  }

  /** The arm must be one of its present arms. */
  learn({ number, round, probability, threshold }: Learnable, loss: number): void {
    const choice: Choice = { policy: this.#policy.policyId, round: round!, arm: this.#arms.indexOf(number), probability, threshold };
    this.#policy.update(choice, loss);
    if (this.#base !== null) this.#since.addLoss({ number, round, probability, threshold }, loss);
  }

  /** Goes on with other arms: those whose numbers it knows keep what was learned of them. */
  rearrange(arms: readonly number[]): void {
    const places = new Map(this.#arms.map((number, place) => [number, place]));
    // Every policy of the library has it, or refuses with ERR_REARRANGE.
    this.#policy = this.#policy.rearrange!(arms.map((number) => places.get(number) ?? null));
    this.#arms = arms;
    this.#base = null;
  }

  /** Goes on with a generator of its own from an event on. */
  reseed(seed: number, segment: string, seq: number): void {
    this.#rng = stream(seed, "segment", segment, seq);
    this.#holdoutRng = stream(seed, "holdout", segment, seq);
    this.#base = null;
  }

  /** The probabilities of the next decision, computed on a copy: looking must not touch what replays. */
  probabilities(): Float64Array | null {
    return restorePolicy(this.#policy.snapshot()).probabilities();
  }
}
