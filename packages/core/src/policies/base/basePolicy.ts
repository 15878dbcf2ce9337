import { show, TsallisError } from "../../errors.js";
import { requireKeys, requireRecord } from "../../parameters.js";
import { digest } from "../../random/labels.js";
import { draw, type Rng } from "../../random/rng.js";
import { requireArm } from "../../requireArm.js";
import { type Choice, requireChoice, requireLoss } from "./choice.js";
import { requireExcept, requireKnownCosts } from "./knownCosts.js";
import { type Policy, type PolicySnapshot, type PolicySpec, SNAPSHOT_VERSION } from "./policy.js";
import { type Rearrangement, requireRearrangement } from "./rearrangement.js";
import { ARMS } from "./sharedParameters.js";
import { requireInteger } from "./snapshotState.js";

/**
 * What all policies share: the round (choose or force an arm, learn from its loss), snapshots, and arms that come and go. A subclass defines how an arm is drawn
 * and what is learned; `state` and `load` carry all that it remembers besides the round, and `resume` takes it over where the arms are rearranged.
 *
 * The arm-set version counts the rearrangements. It is part of the policy's id, so that a Choice whose arms had other numbers is not taken for one of the present arms.
 * A policy with a `horizon` in its spec refuses to play beyond it.
 */
export abstract class BasePolicy implements Policy {
  readonly spec: PolicySpec;
  /** Whether its Choices carry a threshold. */
  abstract readonly skips: boolean;
  /** Whether it learns by dividing by the probability, so that there must be one. */
  abstract readonly weighs: boolean;
  readonly #horizon: number;
  #policyId: string;
  #armSetVersion = 0;
  #armsBefore = 0;
  #round = 0;

  protected constructor(
    spec: PolicySpec,
    readonly arms: number,
  ) {
    this.spec = Object.freeze(spec);
    this.#policyId = policyId(spec, arms);
    this.#horizon = typeof spec.horizon === "number" ? spec.horizon : Number.MAX_SAFE_INTEGER;
  }

  get policyId(): string {
    return this.#policyId;
  }

  get round(): number {
    return this.#round;
  }

  /** Whether it has a use for known costs; if not, it refuses them. */
  get takesKnownCosts(): boolean {
    return false;
  }

  abstract probabilities(knownCosts?: ArrayLike<number>): Float64Array | null;

  /** Called before a round is played; may refuse it by throwing. */
  protected begin(_round: number): void {}

  /** Fills in the arm that the uniform u draws, its probability and its threshold. */
  protected abstract drawInto(
    choice: Choice,
    round: number,
    u: number,
    rng: Rng,
    knownCosts: ArrayLike<number> | undefined,
    except: readonly number[] | undefined,
  ): void;

  /** Fills in a given arm, its probability and its threshold. */
  protected abstract forceInto(choice: Choice, round: number, arm: number, knownCosts: ArrayLike<number> | undefined): void;

  /** Called when the round is over, except for its feedback. */
  protected played(_round: number, _arm: number): void {}

  /** Takes in one checked loss; if it must throw, it throws before it changes anything. */
  protected abstract learn(choice: Choice, loss: number): void;

  choose(rng: Rng, into?: Choice, knownCosts?: ArrayLike<number>, except?: readonly number[]): Choice {
    if (knownCosts !== undefined) requireKnownCosts(knownCosts, this);
    if (except !== undefined) requireExcept(except, this);
    const u = draw(rng);
    const choice = into === undefined ? this.#blank() : into;
    // Before anything moves, so that an object that cannot be written throws here.
    choice.policy = this.#policyId;
    const round = this.#round + 1;
    if (round > this.#horizon) throw pastHorizon(this.#horizon);
    this.begin(round);
    this.drawInto(choice, round, u, rng, knownCosts, except);
    choice.round = round;
    this.#round = round;
    this.played(round, choice.arm);
    return choice;
  }

  /** As `choose`, step by step. What the two share is not in methods, because V8 stops inlining in the middle of a round if it has to inline these too. */
  force(arm: number, into?: Choice, knownCosts?: ArrayLike<number>): Choice {
    requireArm(arm, this.arms);
    if (knownCosts !== undefined) requireKnownCosts(knownCosts, this);
    const choice = into === undefined ? this.#blank() : into;
    choice.policy = this.#policyId;
    const round = this.#round + 1;
    if (round > this.#horizon) throw pastHorizon(this.#horizon);
    this.begin(round);
    this.forceInto(choice, round, arm, knownCosts);
    choice.round = round;
    this.#round = round;
    this.played(round, arm);
    return choice;
  }

  #blank(): Choice {
    return { policy: "", round: 0, arm: 0, probability: 0.5, threshold: 0.5 };
  }

  update(choice: Choice, loss: number): void {
    requireChoice(choice, this);
    requireLoss(loss);
    this.learn(choice, loss);
  }

  details(): Readonly<Record<string, number>> {
    return {};
  }

  snapshot(): PolicySnapshot {
    const rearranged = this.isRearranged ? { armSetVersion: this.#armSetVersion, armsBefore: this.#armsBefore } : {};
    return { version: SNAPSHOT_VERSION, spec: this.spec, arms: this.arms, ...rearranged, round: this.#round, state: this.state() };
  }

  /** The state besides the round, by name. */
  protected state(): Record<string, unknown> {
    return {};
  }

  restore(snapshot: PolicySnapshot): void {
    this.#takeArmSet(snapshot);
    requireKeys({ ...snapshot }, ["version", "spec", "arms", "armSetVersion", "armsBefore", "round", "state", "kernel"]);
    const { spec, arms, armSetVersion, round, state } = snapshot;
    if (policyId(spec, arms, armSetVersion) !== this.#policyId) {
      const message = `spec must be ${show(this.spec)} with ${this.arms} arms, got ${show(spec)} with ${show(arms)}`;
      throw new TsallisError("ERR_SNAPSHOT", "spec", spec, message);
    }
    if (!(Number.isSafeInteger(round) && round >= 0)) {
      throw new TsallisError("ERR_SNAPSHOT", "round", round, `round must be an integer of at least 0, got ${show(round)}`);
    }
    requireKeys(requireRecord(state, "state"), Object.keys(this.state()), "state.");
    if (round > this.#horizon) {
      throw new TsallisError("ERR_SNAPSHOT", "round", round, `round must be at most the horizon, ${this.#horizon}, got ${round}`);
    }
    this.load(snapshot);
    this.#round = round;
  }

  /** Checks the state's values and restores them; throws ERR_SNAPSHOT. */
  protected load(_snapshot: PolicySnapshot): void {}

  #takeArmSet({ armSetVersion, armsBefore }: PolicySnapshot): void {
    if (armSetVersion === undefined && armsBefore === undefined) {
      this.#setArmSet(0, 0);
      return;
    }
    requireInteger(armSetVersion, "armSetVersion", 1, Number.MAX_SAFE_INTEGER);
    requireInteger(armsBefore, "armsBefore", ARMS.atLeast, ARMS.atMost);
    this.#setArmSet(armSetVersion, armsBefore);
  }

  #setArmSet(version: number, armsBefore: number): void {
    this.#armSetVersion = version;
    this.#armsBefore = armsBefore;
    this.#policyId = policyId(this.spec, this.arms, version);
  }

  protected get isRearranged(): boolean {
    return this.#armSetVersion > 0;
  }

  /** The options of the constructor besides the spec and the arms. */
  protected options(): object {
    return {};
  }

  /** Called on a fresh policy that has the old one's round: takes over all else that another one of its class knows of the arms that are kept. */
  protected resume(_old: this, _from: Rearrangement): void {}

  rearrange(from: Rearrangement): this {
    requireRearrangement(from, this.arms);
    const { policy: _name, ...parameters } = this.spec;
    const create = this.constructor as new (options: object) => this;
    const next = new create({ ...parameters, ...this.options(), arms: from.length });
    next.#setArmSet(this.#armSetVersion + 1, this.arms);
    next.#round = this.#round;
    next.resume(this, from);
    return next;
  }

  translate(choice: Choice, from: Rearrangement): Choice | null {
    const before = this.#policyIdBefore(choice);
    requireRearrangement(from, this.#armsBefore);
    if (from.length !== this.arms) {
      const message = `from must be the list that this policy was rearranged with, of ${this.arms} entries, got ${show(from)}`;
      throw new TsallisError("ERR_PARAMETER", "from", from, message);
    }
    requireChoice(choice, { policyId: before, arms: this.#armsBefore, round: this.#round, skips: this.skips, weighs: this.weighs });
    const { round, probability, threshold } = choice;
    const arm = from.indexOf(choice.arm);
    return arm < 0 ? null : { policy: this.#policyId, round, arm, probability, threshold };
  }

  /** The policy's id before the last rearrangement; refuses a Choice that does not carry it. */
  #policyIdBefore(choice: Choice): string {
    if (!this.isRearranged) {
      const message =
        "choice.policy cannot be that of an older arm set, because this policy was never rearranged; its own Choices need no translation";
      throw new TsallisError("ERR_FOREIGN_CHOICE", "choice.policy", choice?.policy, message);
    }
    const before = policyId(this.spec, this.#armsBefore, this.#armSetVersion - 1);
    const id: unknown = choice?.policy;
    if (typeof id === "string" && id !== before) {
      const message = `choice.policy is ${show(id)}, but this policy was ${show(before)} before it was rearranged; translate step by step, from each arm set to the next`;
      throw new TsallisError("ERR_FOREIGN_CHOICE", "choice.policy", id, message);
    }
    return before;
  }
}

function pastHorizon(horizon: number): TsallisError {
  const message = `all ${horizon} rounds are played; give a larger horizon, or use a policy that needs none, such as ada2tinf`;
  return new TsallisError("ERR_HORIZON", "horizon", horizon, message);
}

/** Names a completed spec with its number of arms and its arm-set version: equal specs give equal ids, whatever the order of their keys. */
function policyId(spec: PolicySpec, arms: number, armSetVersion = 0): string {
  const canonical = JSON.stringify(Object.entries(spec).sort(([a], [b]) => (a < b ? -1 : 1)));
  const words = digest(0, ["policy", canonical, arms, ...(armSetVersion === 0 ? [] : [armSetVersion])]);
  return `${spec.policy}-${[words[0]!, words[1]!].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")}`;
}
