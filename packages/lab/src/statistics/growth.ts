import { elementary } from "tsallis";
import { leastSquares } from "./leastSquares.js";
import type { MeanCurve } from "./meanCurve.js";
import { tailStart } from "./tail.js";

/**
 * Two laws of growth with two free parameters each, fitted to the tail of one mean curve: a + b ln t and c t^p. Errors are root mean squares of
 * (fitted - mean) / mean. Neighbouring checkpoints share their rounds, so they allow no test of significance. Instead, `logarithmCloser` is the share
 * of resamples of the seeds in which the logarithm is closer.
 */
export interface Growth {
  readonly logarithm: { readonly slope: number; readonly intercept: number; readonly error: number };
  readonly power: { readonly exponent: number; readonly error: number };
  readonly logarithmCloser: number;
}

/** Null if the tail has no exponent either. */
export function growth(rounds: readonly number[], curve: MeanCurve): Growth | null {
  const start = tailStart(rounds);
  if (start === null || curve.seeds < 2) return null;
  const times = rounds.slice(start).map((round) => elementary.log(round));
  const fitted = fit(times, curve.means.slice(start));
  if (fitted === null) return null;
  const count = curve.resampled[start]!.length;
  let closer = 0;
  for (let resample = 0; resample < count; resample++) {
    const again = fit(
      times,
      curve.resampled.slice(start).map((means) => means[resample]!),
    );
    if (again === null) return null;
    if (again.logarithm.error < again.power.error) closer++;
  }
  return { ...fitted, logarithmCloser: closer / count };
}

/** The logarithm is fitted by least squares of relative errors, and the power by least squares of logarithms, which agree to first order. */
function fit(times: readonly number[], means: readonly number[]): Omit<Growth, "logarithmCloser"> | null {
  if (!means.every((mean) => mean > 0 && mean < Infinity)) return null;
  // Divided by the last mean, because the weights are squares.
  const unit = means[means.length - 1]!;
  const shares = means.map((mean) => mean / unit);
  const line = leastSquares(
    times,
    shares,
    shares.map((share) => 1 / (share * share)),
  );
  const logs = shares.map((share) => elementary.log(share));
  const power = leastSquares(times, logs);
  if (line === null || power === null) return null;
  return {
    logarithm: {
      slope: line.slope * unit,
      intercept: line.intercept * unit,
      error: rootMeanSquare(times.map((time, i) => (line.intercept + line.slope * time) / shares[i]! - 1)),
    },
    power: {
      exponent: power.slope,
      error: rootMeanSquare(times.map((time, i) => elementary.expm1(power.intercept + power.slope * time - logs[i]!))),
    },
  };
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
