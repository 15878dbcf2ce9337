import { grown, Ring } from "./ring.js";

const HOLDOUT = 1;
const SKIPPED = 2;
const EXPIRED = 4;

/**
 * The last outcomes, in columns: 31 bytes each. Whether an arm was retired when its feedback came needs no column: numbers are used once, so that an
 * arm that is present now was present all the time since its first decision.
 */
export class OutcomeRing extends Ring {
  at = new Float64Array(0);
  /** When the decision was made. */
  decided = new Float64Array(0);
  /** The number of the arm. */
  arm = new Uint32Array(0);
  /** The place of the segment in the list of names. */
  segment = new Uint16Array(0);
  /** Of feedback; 0 if it expired. */
  loss = new Float64Array(0);
  #flags = new Uint8Array(0);

  constructor() {
    super(10_000);
  }

  answered(at: number, decided: number, arm: number, segment: number, holdout: boolean, loss: number, skipped: boolean): void {
    this.#add(at, decided, arm, segment, loss, (holdout ? HOLDOUT : 0) | (skipped ? SKIPPED : 0));
  }

  expired(at: number, decided: number, arm: number, segment: number, holdout: boolean): void {
    this.#add(at, decided, arm, segment, 0, (holdout ? HOLDOUT : 0) | EXPIRED);
  }

  isHoldout(slot: number): boolean {
    return (this.#flags[slot]! & HOLDOUT) !== 0;
  }

  isSkipped(slot: number): boolean {
    return (this.#flags[slot]! & SKIPPED) !== 0;
  }

  isExpired(slot: number): boolean {
    return (this.#flags[slot]! & EXPIRED) !== 0;
  }

  #add(at: number, decided: number, arm: number, segment: number, loss: number, flags: number): void {
    const slot = this.claim();
    this.at[slot] = at;
    this.decided[slot] = decided;
    this.arm[slot] = arm;
    this.segment[slot] = segment;
    this.loss[slot] = loss;
    this.#flags[slot] = flags;
  }

  protected override grow(capacity: number): void {
    this.at = grown(this.at, capacity);
    this.decided = grown(this.decided, capacity);
    this.arm = grown(this.arm, capacity);
    this.segment = grown(this.segment, capacity);
    this.loss = grown(this.loss, capacity);
    this.#flags = grown(this.#flags, capacity);
  }
}
