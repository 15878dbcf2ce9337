import type { SweepPoint } from "../document/run.js";

/** Statistics over the seeds at one checkpoint; of pseudo-regret where nothing else is said. */
export interface SummaryPoint {
  readonly round: number;
  readonly mean: number;
  /** The 95 % interval of the mean. */
  readonly low: number;
  readonly high: number;
  readonly median: number;
  readonly q10: number;
  readonly q90: number;
  readonly realizedMean: number;
  /** Skipped rounds so far, as a share of all rounds so far; the mean over the seeds. */
  readonly skipRate: number;
  /** The same for the rounds that went to the best arm in hindsight. */
  readonly bestArmShare: number;
  /** The mean of the regret against the best arm of each round. */
  readonly dynamicMean: number;
}

/** A slope on log-log axes with its 95 % interval, and the theorem's. */
export interface Slope {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Null where no bound applies. */
  readonly theory: number | null;
}

/** One environment and one policy, over all seeds; in a sweep, at one value. `summary.json` has these. */
export interface SummaryRow {
  readonly environment: string;
  readonly policy: string;
  readonly sweep?: SweepPoint;
  /** Runs that completed. */
  readonly seeds: number;
  readonly failed: number;
  readonly horizon: number;
  /** Empty if no run completed. */
  readonly checkpoints: readonly SummaryPoint[];
  /** The share of the completed runs that end without having learnt; null where that can not be said. */
  readonly neverLearned: number | null;
  /** The smallest upper bound that is proved for this policy here, at the horizon; null where none is. */
  readonly bound: number | null;
  /** Which bound that is, by its id in the library. */
  readonly boundId: string | null;
  /** Why no bound applies: "outside its guarantee here: ..."; null where one does. */
  readonly note: string | null;
  /** Pseudo-regret against rounds, over the tail of the checkpoints; null where it cannot be fitted. */
  readonly exponent: Slope | null;
}
