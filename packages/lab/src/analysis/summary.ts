import type { SweepPoint } from "../document/run.js";

/** Statistics over the seeds at one checkpoint; of pseudo-regret unless noted otherwise. */
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
  /** Rounds so far on the best arm in hindsight, as a share of all rounds so far; the mean over the seeds. */
  readonly bestArmShare: number;
  /** The mean of the regret against the best arm of each round. */
  readonly dynamicMean: number;
}

/** A slope on log-log axes with its 95 % interval, and the slope that the theorem gives. */
export interface Slope {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Null if no bound applies. */
  readonly theory: number | null;
}

/** A row of `summary.json`: one environment and one policy over all seeds, at one value in a sweep. */
export interface SummaryRow {
  readonly environment: string;
  readonly policy: string;
  readonly sweep?: SweepPoint;
  /** The number of completed runs. */
  readonly seeds: number;
  readonly failed: number;
  readonly horizon: number;
  /** Empty if no run completed. */
  readonly checkpoints: readonly SummaryPoint[];
  /** The mean regret against the best arm of each round, as a share of the expected regret of uniform play; null if unknown. */
  readonly share: number | null;
  /** The share of the completed runs that are stuck; null if unknown. */
  readonly stuck: number | null;
  /** The smallest upper bound that is proved for this policy here, at the horizon; null if there is none. */
  readonly bound: number | null;
  /** The id of that bound in the library. */
  readonly boundId: string | null;
  /** Why no bound applies: "outside its guarantee here: ..."; null if one does. */
  readonly note: string | null;
  /** The slope of pseudo-regret against rounds, over the tail of the checkpoints; null if it cannot be fitted. */
  readonly exponent: Slope | null;
}
