import { pow } from "../elementary/pow.js";
import { GeneralisedPareto } from "./generalisedPareto.js";
import { type Estimate, type Interval, SINGLE } from "./interval.js";
import { relativeExcesses, thresholdOf } from "./paretoTail.js";

/** The orders of the moments in the findings. */
export const ORDERS = [1.1, 1.25, 1.5, 1.75, 2] as const;

/**
 * The empirical sigma = (mean |loss|^alpha)^(1/alpha) with a 95 % interval for the true one, and whether the tail allows that moment to exist. If the moment is infinite,
 * the number merely grows with the data. The upper end is Infinity where the data do not exclude that.
 */
export interface Sigma extends Interval {
  readonly alpha: number;
  readonly sigma: number;
  readonly moment: "finite" | "doubtful" | "infinite";
}

/** Sigma at each order, given the interval of the tail index; null if the index is unknown. */
export function sigmasOf(sigmaAt: (alpha: number) => Estimate, index: Interval | null): Sigma[] {
  return ORDERS.map((alpha) => {
    const { estimate, low, high } = sigmaAt(alpha);
    return { alpha, sigma: estimate, low, high, moment: existence(alpha, index) };
  });
}

/**
 * The largest sigma of some arms, given the sizes |loss| of each in ascending order. Z = |loss|^alpha has the mean E min(Z, v) + P(Z > v) E[Z - v | Z > v] at a threshold v: the
 * first term is a plain mean with its normal interval, and the mean excess is that of a generalised Pareto distribution (Johansson, Extremes 6, 2003), fitted to the excesses of
 * the arms in `tailed`, relative to their thresholds; by default to those of all. The ends of both intervals are added up, which is cautious. Where an arm has no excess,
 * because its largest values are equal, the first term is all.
 */
export function sigmaOf(sizes: readonly Float64Array[], alpha: number, tailed = sizes): Estimate {
  const values = tailed.reduce((sum, sorted) => sum + positive(sorted).length, 0);
  const excesses = relativeExcesses(
    tailed.flatMap((sorted) => thresholdOf(positive(sorted), values) ?? []),
    alpha,
  );
  const mean = excesses.length > 0 ? new GeneralisedPareto(excesses).meanExcess : { low: 0, high: Infinity };
  const each = sizes.map((sorted) => sigmaOfArm(sorted, values, mean, alpha));
  const largest = (key: keyof Estimate) => each.reduce((most, sigma) => Math.max(most, sigma[key]), 0);
  return { estimate: largest("estimate"), low: largest("low"), high: largest("high") };
}

/** Zeros count in the means, but not in the tail. */
function positive(sorted: Float64Array): Float64Array {
  const first = sorted.findIndex((size) => size > 0);
  return sorted.subarray(first < 0 ? sorted.length : first);
}

function sigmaOfArm(sorted: Float64Array, values: number, excess: Interval, alpha: number): Estimate {
  // In units of the largest loss, whose square may overflow a double.
  const unit = sorted.at(-1)!;
  if (unit === 0) return { estimate: 0, low: 0, high: 0 };
  const tail = thresholdOf(positive(sorted), values);
  const threshold = power((tail?.threshold ?? unit) / unit, alpha);
  let [all, body, squares] = [0, 0, 0];
  for (const size of sorted) {
    const z = power(size / unit, alpha);
    const clipped = Math.min(z, threshold);
    all += z;
    body += clipped;
    squares += clipped * clipped;
  }
  const n = sorted.length;
  const [mean, clippedMean] = [all / n, body / n];
  const error = Math.sqrt(Math.max(0, squares / n - clippedMean * clippedMean) / n);
  const share = (tail?.beyond.length ?? 0) / n;
  const end = (part: number, sign: number) => clippedMean + sign * SINGLE * error + (share === 0 ? 0 : share * threshold * part);
  const sigma = (moment: number) => unit * power(Math.max(0, moment), 1 / alpha);
  return {
    estimate: sigma(mean),
    low: sigma(Math.min(mean, end(excess.low, -1))),
    // Where nearly all losses are 0, the others may have any tail.
    high: tail === null ? Infinity : sigma(Math.max(mean, end(excess.high, 1))),
  };
}

function power(base: number, exponent: number): number {
  return exponent === 2 ? base * base : pow(base, exponent);
}

function existence(alpha: number, index: Interval | null): Sigma["moment"] {
  if (index === null || (alpha > index.low && alpha < index.high)) return "doubtful";
  return alpha <= index.low ? "finite" : "infinite";
}

/** The smallest order that is ever recommended, because policies need more than 1. */
const SMALLEST_ORDER = 1.05;

/** The order alpha to give a policy: the lower end of the tail index's interval, rounded down to a multiple of 0.05, at most 2; null if that is below 1.05. */
export function momentOrder({ low }: Interval): number | null {
  const order = Math.min(2, Math.floor(low * 20) / 20);
  return order >= SMALLEST_ORDER ? order : null;
}

/** The smallest and the largest sigma that policies accept. */
const SIGMAS = [1e-290, 1e290] as const;

/** A sigma rounded up to three digits; null if no policy accepts it. */
export function acceptedSigma(sigma: number): number | null {
  const rounded = roundedUp(sigma);
  return rounded >= SIGMAS[0] && rounded <= SIGMAS[1] ? rounded : null;
}

/** Rounded up to three digits; Infinity for what is no number. */
function roundedUp(value: number): number {
  if (!(value < Infinity)) return Infinity;
  const [digits, exponent] = value.toExponential(2).split("e") as [string, string];
  const rounded = Number(`${digits}e${exponent}`);
  return rounded >= value ? rounded : Number(`${(Number(digits) + 0.01).toFixed(2)}e${exponent}`);
}
