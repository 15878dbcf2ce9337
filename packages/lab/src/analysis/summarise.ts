import type { FrozenExperiment } from "../document/experiment.js";
import type { Run } from "../document/run.js";
import { horizonOf } from "../document/runs.js";
import type { RunResult, Trace } from "../run/runResult.js";
import { percentileInterval } from "../statistics/interval.js";
import { mean } from "../statistics/mean.js";
import { type MeanCurve, meanCurve } from "../statistics/meanCurve.js";
import { quantileOfSorted } from "../statistics/quantile.js";
import { createResampler } from "../statistics/resamples.js";
import { scalingExponent } from "../statistics/scalingExponent.js";
import type { GuaranteeOf } from "../theory/guaranteeOf.js";
import { bootstrapSeed } from "./bootstrapSeed.js";
import { cellsOf } from "./cells.js";
import { neverLearnedOf } from "./neverLearnedOf.js";
import type { SummaryPoint, SummaryRow } from "./summary.js";

/** The rows of `summary.json`, sorted by run id: a pure function of the experiment and its results. */
export function summarise(
  frozen: FrozenExperiment,
  runs: readonly Run[],
  results: ReadonlyMap<string, RunResult>,
  guaranteeOf: GuaranteeOf,
): SummaryRow[] {
  const resampler = createResampler(bootstrapSeed(frozen.hash));
  const shareOf = neverLearnedOf(frozen.experiment);
  return cellsOf(runs, results).map((cell) => {
    const traces = [...cell.traces.values()];
    const rounds = traces[0]?.round ?? [];
    const curves = traces.map(({ pseudoRegret }) => pseudoRegret);
    const curve = meanCurve(curves, resampler(traces.length));
    const guarantee = guaranteeOf(cell.runs[0]!);
    const exponent = scalingExponent(rounds, curve);
    return {
      environment: cell.environment,
      policy: cell.policy,
      ...(cell.sweep !== null && { sweep: { path: cell.sweep.path, value: cell.sweep.value } }),
      seeds: traces.length,
      failed: cell.failed,
      horizon: rounds[rounds.length - 1] ?? horizonOf(frozen.experiment, cell),
      checkpoints: rounds.map((round, i) => pointAt(round, i, traces, curve)),
      neverLearned: shareOf(cell),
      bound: guarantee?.bound?.value ?? null,
      boundId: guarantee?.bound?.id ?? null,
      note: guarantee?.note ?? null,
      exponent: exponent && { estimate: exponent.estimate, low: exponent.low, high: exponent.high, theory: guarantee?.exponent ?? null },
    };
  });
}

function pointAt(round: number, i: number, traces: readonly Trace[], curve: MeanCurve): SummaryPoint {
  const sorted = Float64Array.from(traces, ({ pseudoRegret }) => pseudoRegret[i]!).sort();
  const centre = saturated(curve.means[i]!);
  const { low, high } = percentileInterval(curve.resampled[i]!);
  return {
    round,
    mean: centre,
    // Equal values have equal means in every resample, but for the last digit of their sums.
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

/** JSON has no Infinity: traces are finite, but sums of them may not be. */
function saturated(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
