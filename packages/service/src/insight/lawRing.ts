import { grown, Ring } from "./ring.js";

/** The last laws that were logged. They are kept as the events have them, not copied: at most 20 numbers each. */
export class LawRing extends Ring {
  at = new Float64Array(0);
  /** The place of the segment in the list of names. */
  segment = new Uint16Array(0);
  readonly law: (readonly number[])[] = [];
  /** The numbers of the arms that the law is about, in its order; null for those that were present when the first event was taken, if that is not known. */
  readonly arms: (readonly number[] | null)[] = [];

  constructor() {
    super(2_000);
  }

  add(at: number, segment: number, law: readonly number[], arms: readonly number[] | null): void {
    const slot = this.claim();
    this.at[slot] = at;
    this.segment[slot] = segment;
    this.law[slot] = law;
    this.arms[slot] = arms;
  }

  protected override grow(capacity: number): void {
    this.at = grown(this.at, capacity);
    this.segment = grown(this.segment, capacity);
  }
}
