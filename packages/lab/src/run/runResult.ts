/** What a run records at its checkpoints: columns of one length. A pure function of the document and the run's id. */
export interface Trace {
  /** The checkpoints; the last one is the horizon. */
  readonly round: readonly number[];
  /** sum over s <= t of mu_{s, i_s}, minus min over i of sum over s <= t of mu_{s, i}. */
  readonly pseudoRegret: readonly number[];
  /** The same with the losses that were drawn in place of the means of the arms played. The best arm's part stays the expected one. */
  readonly realizedRegret: readonly number[];
  /** sum over s <= t of mu_{s, i_s} - min over i of mu_{s, i}: against the best arm of each round, so never negative. */
  readonly dynamicRegret: readonly number[];
  /** Rounds so far whose loss was beyond the threshold. */
  readonly skipped: readonly number[];
  /** Rounds so far in which the arm that is best in hindsight at this checkpoint was played. */
  readonly best: readonly number[];
  /** Per arm, the rounds so far in which it was played; null with more than MOST_SHARES arms. */
  readonly plays: readonly (readonly number[])[] | null;
  /** What else the policy shows of itself (`details()`), by name. */
  readonly details: Readonly<Record<string, readonly number[]>>;
  /** The terms of the regret's anatomy, by name; null where they are not recorded. */
  readonly anatomy: Readonly<Record<string, readonly number[]>> | null;
}

/** A run that ended; failures are rows, not gaps. */
export type RunResult =
  | { readonly id: string; readonly status: "completed"; readonly trace: Trace; readonly seconds: number }
  | { readonly id: string; readonly status: "failed"; readonly error: RunError; readonly seconds: number };

export interface RunError {
  /** The library's error code; null for an error that is not the library's. */
  readonly code: string | null;
  readonly message: string;
}

/** With more arms the shares of single arms are neither kept nor drawn. */
export const MOST_SHARES = 32;
