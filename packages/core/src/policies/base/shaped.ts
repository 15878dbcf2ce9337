import { show, TsallisError } from "../../errors.js";
import { ARMS } from "./arms.js";
import { type Choice, requireChoice } from "./choice.js";
import { fingerprint } from "./fingerprint.js";
import type { PolicySnapshot, PolicySpec } from "./policy.js";
import { type Rearrangement, requireRearrangement } from "./rearrangement.js";
import { requireInteger } from "./requireNumbers.js";

/**
 * What names a policy (its spec, its number of arms, its shape), and how it is rearranged: a fresh policy of the same class resumes the old one. The shape counts the
 * rearrangements and is part of the fingerprint, so that a Choice whose arms had other numbers is not taken for one of the present arms.
 */
export abstract class Shaped {
  readonly spec: PolicySpec;
  abstract readonly round: number;
  abstract readonly skips: boolean;
  abstract readonly weighs: boolean;
  #fingerprint: string;
  #shape = 0;
  #armsBefore = 0;

  protected constructor(
    spec: PolicySpec,
    readonly arms: number,
  ) {
    this.spec = Object.freeze(spec);
    this.#fingerprint = fingerprint(spec, arms);
  }

  get fingerprint(): string {
    return this.#fingerprint;
  }

  protected get isRearranged(): boolean {
    return this.#shape > 0;
  }

  /** The options of the constructor besides the spec and the arms. */
  protected options(): object {
    return {};
  }

  /** Called on a fresh policy: takes over all that another one of its class knows of the arms that are kept. */
  protected abstract resume(old: this, from: Rearrangement): void;

  /** A new policy whose arm j goes on as arm from[j] of this one, or is new where from[j] is null. This one stays as it is. */
  rearrange(from: Rearrangement): this {
    requireRearrangement(from, this.arms);
    const { policy: _name, ...parameters } = this.spec;
    const create = this.constructor as new (options: object) => this;
    const next = new create({ ...parameters, ...this.options(), arms: from.length });
    next.#reshape(this.#shape + 1, this.arms);
    next.resume(this, from);
    return next;
  }

  /** The Choice of the policy that was rearranged by `from` into this one, as a Choice of this one; null if its arm is gone. */
  translate(choice: Choice, from: Rearrangement): Choice | null {
    const before = this.#nameBefore(choice);
    requireRearrangement(from, this.#armsBefore);
    if (from.length !== this.arms) {
      const message = `from must be the list by which this policy came about, with ${this.arms} entries, got ${show(from)}`;
      throw new TsallisError("ERR_PARAMETER", "from", from, message);
    }
    requireChoice(choice, { fingerprint: before, arms: this.#armsBefore, round: this.round, skips: this.skips, weighs: this.weighs });
    const { round, probability, threshold } = choice;
    const arm = from.indexOf(choice.arm);
    return arm < 0 ? null : { policy: this.fingerprint, round, arm, probability, threshold };
  }

  /** The fingerprint before the last rearrangement; refuses a Choice that does not carry it. */
  #nameBefore(choice: Choice): string {
    if (this.#shape === 0) {
      const message = "choice.policy cannot be that of an older shape, because this policy was never rearranged; its own Choices need no translation";
      throw new TsallisError("ERR_FOREIGN_CHOICE", "choice.policy", choice?.policy, message);
    }
    const before = fingerprint(this.spec, this.#armsBefore, this.#shape - 1);
    const name: unknown = choice?.policy;
    if (typeof name === "string" && name !== before) {
      const message = `choice.policy is ${show(name)}, but this policy was ${show(before)} before it was rearranged; translate step by step, from each shape to the next`;
      throw new TsallisError("ERR_FOREIGN_CHOICE", "choice.policy", name, message);
    }
    return before;
  }

  /** The part of a snapshot that says the shape. */
  protected shapeFields(): Pick<PolicySnapshot, "shape" | "armsBefore"> {
    return this.#shape === 0 ? {} : { shape: this.#shape, armsBefore: this.#armsBefore };
  }

  /** Takes the shape of a snapshot; throws ERR_SNAPSHOT. */
  protected takeShape({ shape, armsBefore }: PolicySnapshot): void {
    if (shape === undefined && armsBefore === undefined) {
      this.#reshape(0, 0);
      return;
    }
    requireInteger(shape, "shape", 1, Number.MAX_SAFE_INTEGER);
    requireInteger(armsBefore, "armsBefore", ARMS.atLeast, ARMS.atMost);
    this.#reshape(shape, armsBefore);
  }

  #reshape(shape: number, armsBefore: number): void {
    this.#shape = shape;
    this.#armsBefore = armsBefore;
    this.#fingerprint = fingerprint(this.spec, this.arms, shape);
  }
}
