import { grown, Ring } from "./ring.js";

/** The last probabilities that were logged. They are kept as the events have them, not copied: at most 20 numbers each. */
export class ProbabilityRing extends Ring {
  at = new Float64Array(0);
  /** The place of the segment in the list of names. */
  segment = new Uint16Array(0);
  readonly probabilities: (readonly number[])[] = [];
  /** The numbers of the arms that the probabilities are about, in their order; null for those that were present when the first event was taken, if that is not known. */
  readonly arms: (readonly number[] | null)[] = [];

  constructor() {
    super(2_000);
  }

  add(at: number, segment: number, probabilities: readonly number[], arms: readonly number[] | null): void {
    const slot = this.claim();
    this.at[slot] = at;
    this.segment[slot] = segment;
    this.probabilities[slot] = probabilities;
    this.arms[slot] = arms;
  }

  protected override grow(capacity: number): void {
    this.at = grown(this.at, capacity);
    this.segment = grown(this.segment, capacity);
  }
}
