import type { Experiment } from "../document/experiment.js";
import { horizonOf } from "../document/runs.js";
import type { Trace } from "../run/runResult.js";
import { mean } from "../statistics/mean.js";
import { intervalAt, type MeanCurve, meanCurve } from "../statistics/meanCurve.js";
import { quantileOfSorted } from "../statistics/quantile.js";
import type { Resampler } from "../statistics/resamples.js";
import { scalingExponent } from "../statistics/scalingExponent.js";
import type { Guarantee } from "../theory/applicableBounds.js";
import type { Cell } from "./cells.js";
import type { NeverLearnedOf } from "./neverLearnedOf.js";
import type { SummaryPoint, SummaryRow } from "./summary.js";

/** A row of `summary.json`: a pure function of the experiment and the cell's results. */
export function summarise(cell: Cell, { experiment, resampler, neverLearned, guarantee }: Sources): SummaryRow {
  const traces = [...cell.traces.values()];
  const rounds = traces[0]?.round ?? [];
  const curve = meanCurve(
    traces.map(({ pseudoRegret }) => pseudoRegret),
    resampler(traces.length),
  );
  const exponent = scalingExponent(rounds, curve);
  return {
    environment: cell.environment,
    policy: cell.policy,
    ...(cell.sweep !== null && { sweep: { path: cell.sweep.path, value: cell.sweep.value } }),
    seeds: traces.length,
    failed: cell.failed,
    horizon: rounds[rounds.length - 1] ?? horizonOf(experiment, cell),
    checkpoints: rounds.map((round, i) => pointAt(round, i, traces, curve)),
    neverLearned: neverLearned(cell),
    bound: guarantee?.bound?.value ?? null,
    boundId: guarantee?.bound?.id ?? null,
    note: guarantee?.note ?? null,
    exponent: exponent && { estimate: exponent.estimate, low: exponent.low, high: exponent.high, theory: guarantee?.exponent ?? null },
  };
}

/** The other inputs of a row, beside the cell. */
export interface Sources {
  readonly experiment: Experiment;
  readonly resampler: Resampler;
  readonly neverLearned: NeverLearnedOf;
  /** What is proved for the cell; null if its environment cannot be created. */
  readonly guarantee: Guarantee | null;
}

function pointAt(round: number, i: number, traces: readonly Trace[], curve: MeanCurve): SummaryPoint {
  const sorted = Float64Array.from(traces, ({ pseudoRegret }) => pseudoRegret[i]!).sort();
  const centre = saturated(curve.means[i]!);
  const { low, high } = intervalAt(curve, i);
  return {
    round,
    mean: centre,
    low: Math.min(saturated(low), centre),
    high: Math.max(saturated(high), centre),
    median: saturated(quantileOfSorted(sorted, 0.5)),
    q10: saturated(quantileOfSorted(sorted, 0.1)),
    q90: saturated(quantileOfSorted(sorted, 0.9)),
    realizedMean: saturated(mean(traces.map(({ realizedRegret }) => realizedRegret[i]!))),
    skipRate: mean(traces.map(({ skipped }) => skipped[i]! / round)),
    bestArmShare: mean(traces.map(({ best }) => best[i]! / round)),
    dynamicMean: saturated(mean(traces.map(({ dynamicRegret }) => dynamicRegret[i]!))),
  };
}

/** JSON has no Infinity. Traces are finite, but their sums may not be. */
function saturated(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
