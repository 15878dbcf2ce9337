/** What is saved while all is well pays for at most this many extra requests at once. */
const MOST_SAVED = 100;
/** A share of a number of requests may be off by its rounding. */
const ROUNDING = 1e-9;

/** How many extra requests may be sent: a share of the callers' requests so far, and never more. */
export class Budget {
  #requests = 0;
  #spent = 0;
  /** What was not saved, because enough was. */
  #lost = 0;

  constructor(readonly share: number) {}

  /** The requests that callers have made. */
  get requests(): number {
    return this.#requests;
  }

  /** Counts a request of a caller. */
  earn(): void {
    this.#requests++;
    this.#lost += Math.max(0, this.#left() - MOST_SAVED);
  }

  /** Whether another request can be paid. */
  get isSpent(): boolean {
    return this.#left() < 1 - ROUNDING;
  }

  spend(): void {
    this.#spent++;
  }

  #left(): number {
    return this.share * this.#requests - this.#spent - this.#lost;
  }
}
