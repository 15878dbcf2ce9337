/** An upstream is the favourite in a choice if its probability is above this; at most one upstream can be. */
const MAJORITY = 0.5;
/** A change of regime needs this many choices of a new favourite, with no such choice of the old one in between. */
const CONFIRMATIONS = 10;

export interface RegimeChange {
  readonly round: number;
  /** ISO 8601. */
  readonly time: string;
  readonly from: string;
  readonly to: string;
}

/** The state of Regimes, JSON-safe; arms are numbers. */
export interface RegimesSnapshot {
  readonly favourite: number | null;
  readonly candidate: number | null;
  readonly confirmations: number;
  readonly changes: number;
  readonly last: RegimeChange | null;
}

/**
 * Detects that the favourite has changed for good: another upstream has been chosen ten times with a probability above 1/2, and since the first of
 * these choices the old favourite has not been chosen with such a probability.
 */
export class Regimes {
  #favourite: number | null = null;
  #candidate: number | null = null;
  #confirmations = 0;
  #changes = 0;
  #last: RegimeChange | null = null;

  constructor(readonly names: readonly string[]) {}

  get changes(): number {
    return this.#changes;
  }

  get last(): RegimeChange | null {
    return this.#last;
  }

  /** Records a choice; returns the change of regime that it completes, if any. */
  observe(arm: number, probability: number | null, round: number): RegimeChange | null {
    if (probability === null || !(probability > MAJORITY)) return null;
    if (arm === this.#favourite) {
      this.#confirmations = 0;
      return null;
    }
    this.#confirmations = arm === this.#candidate ? this.#confirmations + 1 : 1;
    this.#candidate = arm;
    if (this.#confirmations < CONFIRMATIONS) return null;
    const from = this.#favourite;
    this.#favourite = arm;
    this.#confirmations = 0;
    // The first favourite does not count as a change.
    if (from === null) return null;
    this.#changes++;
    this.#last = { round, time: new Date().toISOString(), from: this.names[from]!, to: this.names[arm]! };
    return this.#last;
  }

  snapshot(): RegimesSnapshot {
    return {
      favourite: this.#favourite,
      candidate: this.#candidate,
      confirmations: this.#confirmations,
      changes: this.#changes,
      last: this.#last,
    };
  }

  restore({ favourite, candidate, confirmations, changes, last }: RegimesSnapshot): void {
    this.#favourite = favourite;
    this.#candidate = candidate;
    this.#confirmations = confirmations;
    this.#changes = changes;
    this.#last = last;
  }
}
