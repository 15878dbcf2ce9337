/** What a run records at its checkpoints, as columns of equal length. A pure function of the document and the run's id. */
export interface Trace {
  /** The checkpoints; the last one is the horizon. */
  readonly round: readonly number[];
  /** sum over s <= t of mu_{s, i_s}, minus min over i of sum over s <= t of mu_{s, i}. */
  readonly pseudoRegret: readonly number[];
  /** The same with the drawn losses in place of the means of the arms played. The best arm's part remains its expectation. */
  readonly realizedRegret: readonly number[];
  /** sum over s <= t of mu_{s, i_s} - min over i of mu_{s, i}: against the best arm of each round, so never negative. */
  readonly dynamicRegret: readonly number[];
  /** The number of rounds so far whose loss was beyond the threshold. */
  readonly skipped: readonly number[];
  /** The number of rounds so far on the arm that is best in hindsight at this checkpoint. */
  readonly best: readonly number[];
  /** For each arm, the number of rounds so far in which it was played; null with more than MOST_SHARES arms. */
  readonly plays: readonly (readonly number[])[] | null;
  /** What else the policy reports about itself (`details()`), by name. */
  readonly details: Readonly<Record<string, readonly number[]>>;
  /** The terms of the regret's anatomy, by name; null if they are not recorded. */
  readonly anatomy: Readonly<Record<string, readonly number[]>> | null;
  /** A hash of all arms and losses; present only if the document asks for it. */
  readonly runHash?: string;
}

/** A run that ended; failures are rows, not gaps. */
export type RunResult =
  | { readonly id: string; readonly status: "completed"; readonly trace: Trace; readonly seconds: number }
  | { readonly id: string; readonly status: "failed"; readonly error: RunError; readonly seconds: number };

/** Why a run failed. */
export interface RunError {
  /** The library's error code; null for any other error. */
  readonly code: string | null;
  readonly message: string;
}

/** With more arms than this, the shares of single arms are neither recorded nor drawn. */
export const MOST_SHARES = 32;
