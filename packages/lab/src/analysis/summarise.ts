import { type Interval, quantileOfSorted } from "tsallis/statistics";
import type { Experiment } from "../document/experiment.js";
import { horizonOf } from "../document/runs.js";
import { scalingExponent } from "../statistics/growth.js";
import type { MeanCurve } from "../statistics/meanCurve.js";
import { meanIntervals } from "../statistics/meanInterval.js";
import type { Guarantee } from "../theory/applicableBounds.js";
import type { ReadCell } from "./readCell.js";
import type { SummaryPoint, SummaryRow } from "./summary.js";
import type { Yardstick } from "./yardstick.js";

/** A row of `summary.json`: a pure function of the experiment and the cell's results. */
export function summarise(read: ReadCell, { experiment, curve, yardstick, guarantee }: Sources): SummaryRow {
  const { cell } = read;
  const { rounds } = cell;
  const exponent = scalingExponent(rounds, curve);
  const intervals = meanIntervals(curve.columns, curve.resamples);
  return {
    environment: cell.environment,
    policy: cell.policy,
    ...(cell.sweep !== null && { sweep: { path: cell.sweep.path, value: cell.sweep.value } }),
    seeds: cell.runs.length,
    failed: cell.failures.length,
    horizon: rounds[rounds.length - 1] ?? horizonOf(experiment, cell),
    checkpoints: rounds.map((round, i) => pointAt(round, i, read, curve.means[i]!, intervals[i]!)),
    share: yardstick.share,
    stuck: yardstick.stuck,
    bound: guarantee?.bound?.value ?? null,
    boundId: guarantee?.bound?.id ?? null,
    note: guarantee?.note ?? null,
    exponent: exponent && { estimate: exponent.estimate, low: exponent.low, high: exponent.high, theory: guarantee?.exponent ?? null },
  };
}

/** The other inputs of a row, beside the cell. */
export interface Sources {
  readonly experiment: Experiment;
  /** Its mean pseudo-regret. */
  readonly curve: MeanCurve;
  readonly yardstick: Yardstick;
  /** What is proved for the cell; null if its environment cannot be created. */
  readonly guarantee: Guarantee | null;
}

function pointAt(round: number, i: number, read: ReadCell, mean: number, { low, high }: Interval): SummaryPoint {
  const sorted = Float64Array.from(read.pseudoRegret[i]!).sort();
  const centre = saturated(mean);
  return {
    round,
    mean: centre,
    low: Math.min(saturated(low), centre),
    high: Math.max(saturated(high), centre),
    median: saturated(quantileOfSorted(sorted, 0.5)),
    q10: saturated(quantileOfSorted(sorted, 0.1)),
    q90: saturated(quantileOfSorted(sorted, 0.9)),
    realizedMean: saturated(read.realizedMeans[i]!),
    skipRate: read.skipRates[i]!,
    bestArmShare: read.bestArmShares[i]!,
    dynamicMean: saturated(read.dynamicMeans[i]!),
  };
}

/** JSON has no Infinity. Traces are finite, but their sums may not be. */
function saturated(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
