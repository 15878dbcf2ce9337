/** An upstream is the favourite in a choice if its probability is above this; at most one upstream can be. */
const MAJORITY = 0.5;
/** A change of regime needs this many choices of a new favourite, with no such choice of the old one in between. */
const CONFIRMATIONS = 10;

/** A change of the favourite upstream. */
export interface RegimeChange {
  readonly round: number;
  /** ISO 8601. */
  readonly time: string;
  readonly from: string;
  readonly to: string;
}

/** The state of Regimes, JSON-safe. */
export interface RegimesSnapshot {
  readonly favourite: string | null;
  readonly candidate: string | null;
  readonly confirmations: number;
  readonly changes: number;
  readonly last: RegimeChange | null;
}

/**
 * Detects that the favourite has changed for good: another upstream has been chosen ten times with a probability above 1/2, and since the first of
 * these choices the old favourite has not been chosen with such a probability.
 */
export class Regimes {
  #favourite: string | null = null;
  #candidate: string | null = null;
  #confirmations = 0;
  #changes = 0;
  #last: RegimeChange | null = null;

  get changes(): number {
    return this.#changes;
  }

  get last(): RegimeChange | null {
    return this.#last;
  }

  /** Records the choice of an upstream that has a probability at rest; returns the change of regime that it completes, if any. */
  observe(upstream: string, probability: number | null, round: number): RegimeChange | null {
    if (probability === null || !(probability > MAJORITY)) return null;
    if (upstream === this.#favourite) {
      this.#confirmations = 0;
      return null;
    }
    this.#confirmations = upstream === this.#candidate ? this.#confirmations + 1 : 1;
    this.#candidate = upstream;
    if (this.#confirmations < CONFIRMATIONS) return null;
    const from = this.#favourite;
    this.#favourite = upstream;
    this.#confirmations = 0;
    // The first favourite does not count as a change.
    if (from === null) return null;
    this.#changes++;
    this.#last = { round, time: new Date().toISOString(), from, to: upstream };
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
