import { Budget } from "./budget.js";
import type { Unrepeatable } from "./repeatable.js";

/** When a failed request is sent again, to another upstream. */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included. Default: 2. */
  readonly attempts?: number;
  /** The statuses and the codes of errors that are retried, such as 503 and "ECONNRESET". Default: whatever counts as a failure. */
  readonly when?: readonly (number | string)[];
  /** At most this share of the requests so far is sent again. Default: 0.1. */
  readonly budget?: number;
}

export interface CompletedRetry extends Required<Omit<RetryOptions, "when">> {
  /** Null: whatever counts as a failure. */
  readonly when: readonly (number | string)[] | null;
}

/** Why a failure was not retried: `attempts` and `upstreams` mean that none are left. */
export const NO_RETRY = ["method", "body", "attempts", "upstreams", "budget"] as const;
/** Why a failure was not retried. @useDeclaredType */
export type NoRetry = (typeof NO_RETRY)[number];

/** What has become of failures since the router was created. */
export interface RetryStatus {
  /** The requests of callers, by which the budget is measured. */
  readonly requests: number;
  readonly retried: number;
  /** Failures that `when` names and that reached the caller nevertheless. */
  readonly notRetried: Readonly<Record<NoRetry, number>>;
}

/** Decides whether a failed request is sent again. */
export class Retry {
  readonly budget: Budget;
  readonly #attempts: number;
  readonly #when: ReadonlySet<unknown> | null;
  #retried = 0;
  readonly #notRetried: Record<NoRetry, number> = { method: 0, body: 0, attempts: 0, upstreams: 0, budget: 0 };

  constructor({ attempts, when, budget }: CompletedRetry) {
    this.#attempts = attempts;
    this.#when = when === null ? null : new Set(when);
    this.budget = new Budget(budget);
  }

  /** Whether a failure is one that is retried, by the status of the answer or the code of the error. */
  applies(failure: unknown): boolean {
    return this.#when === null || this.#when.has(failure);
  }

  /** Pays for sending a request again; returns why it must not be, or null. */
  take(sent: number, upstreamsLeft: number, unrepeatable: Unrepeatable | null): NoRetry | null {
    const reason = unrepeatable ?? (sent >= this.#attempts ? "attempts" : upstreamsLeft === 0 ? "upstreams" : this.budget.isSpent ? "budget" : null);
    if (reason === null) {
      this.#retried++;
      this.budget.spend();
    } else this.#notRetried[reason]++;
    return reason;
  }

  status(): RetryStatus {
    return { requests: this.budget.requests, retried: this.#retried, notRetried: { ...this.#notRetried } };
  }
}
