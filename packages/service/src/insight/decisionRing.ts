import { grown, Ring } from "./ring.js";

/** The last decisions, in columns: 15 bytes each. */
export class DecisionRing extends Ring {
  at = new Float64Array(0);
  /** The number of the arm. */
  arm = new Uint32Array(0);
  /** The place of the segment in the list of names. */
  segment = new Uint16Array(0);
  holdout = new Uint8Array(0);

  constructor() {
    super(20_000);
  }

  add(at: number, arm: number, segment: number, holdout: boolean): void {
    const slot = this.claim();
    this.at[slot] = at;
    this.arm[slot] = arm;
    this.segment[slot] = segment;
    this.holdout[slot] = holdout ? 1 : 0;
  }

  protected override grow(capacity: number): void {
    this.at = grown(this.at, capacity);
    this.arm = grown(this.arm, capacity);
    this.segment = grown(this.segment, capacity);
    this.holdout = grown(this.holdout, capacity);
  }
}
