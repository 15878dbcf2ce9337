import { elementary } from "tsallis";
import type { Estimate } from "tsallis/statistics";
import { type MeanCurve, partOf } from "./meanCurve.js";
import { leastSquares, logLogSlope, powerSlope, powerSlopes } from "./powerSlope.js";

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
  const { resampled } = partOf(curve, start, rounds.length);
  const count = resampled[0]!.length;
  let closer = 0;
  for (let resample = 0; resample < count; resample++) {
    const again = fit(
      times,
      resampled.map((means) => means[resample]!),
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

/** The last decade and a half: 10^1.5. Earlier rounds are exploration, whatever the policy; a single decade would leave few points. */
const SPAN = 31.622776601683793;

/** A slope through fewer points says little. */
const FEWEST = 5;

/**
 * Where the tail of the checkpoints begins: at the first checkpoint within a decade and a half of the last, or earlier if that leaves fewer than
 * five. Null if there are fewer than five in all.
 */
export function tailStart(rounds: readonly number[]): number | null {
  if (rounds.length < FEWEST) return null;
  const first = rounds.findIndex((round) => round * SPAN >= rounds[rounds.length - 1]!);
  return Math.min(first, rounds.length - FEWEST);
}

/** How mean pseudo-regret grows with the rounds: the slope of its logarithm on the logarithm of the round, over the tail of the checkpoints. */
export function scalingExponent(rounds: readonly number[], curve: MeanCurve): Estimate | null {
  const start = tailStart(rounds);
  return start === null ? null : powerSlope(rounds.slice(start), partOf(curve, start, rounds.length));
}

/** The exponent within one decade of rounds. */
export interface LocalExponent {
  /** The first and the last checkpoint of the decade. */
  readonly from: number;
  readonly to: number;
  /** Null if it cannot be fitted. */
  readonly exponent: Estimate | null;
  /**
   * The exponent of ln t itself on the same checkpoints, about 1 / ln t: the exponent of logarithmic regret falls with it, while that of a power law
   * stays constant.
   */
  readonly ofLogarithm: number;
}

/** A decade needs at least this many checkpoints. */
const FEWEST_IN_DECADE = 3;

/** The exponents decade by decade, counted back from the last checkpoint, in ascending order. Rounds 1 and 2, where ln t is below 1, are left out. */
export function localExponents(rounds: readonly number[], curve: MeanCurve): readonly LocalExponent[] {
  const decades: (readonly number[])[] = [];
  for (let top = rounds[rounds.length - 1] ?? 0; top > 1; top /= 10) {
    const inside = rounds.filter((round) => round <= top && round >= Math.max(3, top / 10));
    if (inside.length < FEWEST_IN_DECADE) break;
    decades.unshift(inside);
  }
  const exponents = powerSlopes(
    decades.map((inside) => {
      const from = rounds.indexOf(inside[0]!);
      return { x: inside, curve: partOf(curve, from, from + inside.length) };
    }),
  );
  return decades.map((inside, i) => ({
    from: inside[0]!,
    to: inside[inside.length - 1]!,
    exponent: exponents[i]!,
    ofLogarithm: logLogSlope(
      inside,
      inside.map((round) => elementary.log(round)),
    )!,
  }));
}
