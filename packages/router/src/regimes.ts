/** A choice is the favourite's if its probability was above this; no two upstreams can be. */
const MAJORITY = 0.5;
/** So many choices of a new favourite, and none of the old one's in between, make a change of regime. */
const CONFIRMATIONS = 10;

export interface RegimeChange {
  readonly round: number;
  /** ISO 8601. */
  readonly time: string;
  readonly from: string;
  readonly to: string;
}

/** The state of Regimes, JSON-safe; arms by number. */
export interface RegimesSnapshot {
  readonly favourite: number | null;
  readonly candidate: number | null;
  readonly confirmations: number;
  readonly changes: number;
  readonly last: RegimeChange | null;
}

/**
 * Notices when the favourite has changed for good: another upstream has been chosen ten times with a probability above 1/2, and the
 * favourite not once with such a probability since the first of them.
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

  /** Takes in a choice; the change of regime that it completes, if it does. */
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
    // The first favourite is no change.
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
