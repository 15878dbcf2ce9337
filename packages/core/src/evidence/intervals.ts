// Intervals from the evidence of several streams. Streams that have no loss in common, in one common order, multiply: the product of their wealth is a supermartingale
// too. A part of each stream's wealth is never staked, so that a stream which says little costs little.

import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import { show, TsallisError } from "../errors.js";
import type { Interval } from "../statistics/interval.js";
import { largestProbability } from "./bets.js";
import type { LogWealth } from "./logWealth.js";
import { logOf, type MeanEvidence, ordered } from "./meanEvidence.js";

const IDLE = 0.3;
const STEPS = 100;

/** A stream's wealth, and what its mean, from 0 to 1, counts in a sum; above 0. */
interface Term {
  readonly wealth: LogWealth;
  readonly weight: number;
}

/** An interval of the sum of weights[i] times the mean of streams[i]. The signs of the weights must be fixed in advance. */
function sumInterval(streams: readonly MeanEvidence[], weights: readonly number[], error: number): Interval {
  const threshold = logOf(2, error);
  const upper = (sign: number) => {
    const terms: Term[] = [];
    let sum = 0;
    for (const [i, { cap, floor, atLeast, atMost }] of streams.entries()) {
      const weight = sign * weights[i]!;
      if (weight === 0) continue;
      terms.push({ wealth: (weight > 0 ? atLeast : atMost).wealth, weight: Math.abs(weight) * (cap - floor) });
      sum += weight * (weight > 0 ? floor : cap);
    }
    return sum + largestSum(terms, threshold);
  };
  return ordered(0 - upper(-1), upper(1));
}

/** The largest sum of weight * q, each q in [0, 1], for which the logarithms of wealth together stay below the threshold. */
function largestSum(terms: readonly Term[], threshold: number): number {
  if (terms.length === 1) return terms[0]!.weight * terms[0]!.wealth.end(threshold);
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (terms.reduce((sum, { wealth }) => sum + staked(wealth, 1).value, 0) <= threshold) return whole;
  // A convex problem: at its solution each slope is the term's weight times one common number, e^t.
  const means = terms.map(({ wealth }) => wealth.end(threshold));
  let [low, high] = [-Infinity, Infinity];
  let t = log(staked(terms[0]!.wealth, means[0]!).slope / terms[0]!.weight);
  if (!Number.isFinite(t)) t = 0;
  let bound = whole;
  for (let i = 0; i < STEPS; i++) {
    let [sum, evidence, growth] = [0, 0, 0];
    for (const [j, { wealth, weight }] of terms.entries()) {
      const q = meanAtSlope(wealth, t + log(weight), means[j]!);
      means[j] = q;
      const { value, slope, curvature } = staked(wealth, q);
      sum += weight * q;
      evidence += value;
      if (q > 0 && q < 1 && curvature > 0) growth += (slope * slope) / curvature;
    }
    // By duality every t gives an upper bound; the least of them is the solution.
    bound = Math.min(bound, sum + (threshold - evidence) * exp(-t));
    if (Math.abs(evidence - threshold) < 1e-12) break;
    if (evidence < threshold) low = t;
    else high = t;
    const next = t + (threshold - evidence) / growth;
    const wide = low === -Infinity ? t - 2 : high === Infinity ? t + 2 : (low + high) / 2;
    const before = t;
    t = next > Math.max(low, t - 8) && next < Math.min(high, t + 8) ? next : wide;
    if (t === before) break;
  }
  return Math.max(0, bound);
}

function staked(wealth: LogWealth, q: number) {
  return wealth.withIdle(q, IDLE, 1 - IDLE);
}

/** The q in [0, 1] where the logarithm of the slope is as given, or the nearest end. Newton's method within a bracket. */
function meanAtSlope(wealth: LogWealth, logSlope: number, start: number): number {
  if (!(log(staked(wealth, 1).slope) > logSlope)) return 1;
  if (!(log(staked(wealth, 0).slope) < logSlope)) return 0;
  let [low, high] = [0, 1];
  let q = start > 0 && start < 1 ? start : 0.5;
  for (let i = 0; i < STEPS; i++) {
    const { slope, curvature } = staked(wealth, q);
    const distance = logSlope - log(slope);
    if (Math.abs(distance) < 1e-11) break;
    if (distance > 0) low = q;
    else high = q;
    const next = q + (distance * slope) / curvature;
    const inside = next > low && next < high ? next : (low + high) / 2;
    if (inside === q) break;
    q = inside;
  }
  return q;
}

/**
 * An interval of the mean of `a` minus the mean of `b`, at all times at once. Assumption: that of `MeanEvidence` for both, in one common order of decisions, and no
 * loss is in both.
 *
 * @example
 * ```ts
 * import { differenceInterval, MeanEvidence } from "tsallis/evidence";
 *
 * const [a, b] = [new MeanEvidence({ cap: 10 }), new MeanEvidence({ cap: 10 })];
 * for (let i = 0; i < 400; i++) {
 *   a.add(i % 3);
 *   b.add(i % 2);
 * }
 * const { low, high } = differenceInterval(a, b);
 * console.log(low.toFixed(2), high.toFixed(2)); // 0.30 0.69
 * ```
 */
export function differenceInterval(a: MeanEvidence, b: MeanEvidence, error = 0.05): Interval {
  return sumInterval([a, b], [1, -1], error);
}

/**
 * An interval of the mean loss of playing each arm with a fixed probability, at all times at once. Assumption: that of `MeanEvidence` for every arm, in one common order
 * of decisions. It holds for all mixes together, so the mix may be chosen after looking.
 *
 * @example
 * ```ts
 * import { MeanEvidence, mixInterval } from "tsallis/evidence";
 *
 * const arms = [new MeanEvidence({ cap: 10 }), new MeanEvidence({ cap: 10 })];
 * for (let i = 0; i < 400; i++) for (const [arm, evidence] of arms.entries()) evidence.add((i % 3) + arm);
 * const { low, high } = mixInterval(arms, [0.5, 0.5]);
 * console.log(low.toFixed(2), high.toFixed(2)); // 1.39 1.61
 * ```
 */
export function mixInterval(arms: readonly MeanEvidence[], mix: readonly number[], error = 0.05): Interval {
  const sum = Array.isArray(mix) && mix.every((share) => share >= 0) ? mix.reduce((total: number, share) => total + share, 0) : NaN;
  if (!(mix.length === arms.length && Math.abs(sum - 1) <= 1e-9)) {
    const message = `mix must be ${arms.length} probabilities, one for each arm, that sum to 1, got ${show(mix)}`;
    throw new TsallisError("ERR_PARAMETER", "mix", mix, message);
  }
  return sumInterval(arms, mix, error);
}

/**
 * What the caller vouches for: a moment, E|loss|^alpha <= sigma^alpha, or an index, by which losses beyond the cap exceed it by cap / (index - 1) on average, as under a
 * Pareto tail of that index.
 */
export type VouchedTail = { readonly alpha: number; readonly sigma: number } | { readonly index: number };

/**
 * An interval of the mean of the losses themselves, not of the capped ones, at all times at once. Assumption: the tail is as the caller vouches. Nothing in the losses can
 * show that it is.
 *
 * @example
 * ```ts
 * import { MeanEvidence, meanInterval } from "tsallis/evidence";
 *
 * const evidence = new MeanEvidence({ cap: 20 });
 * for (let i = 0; i < 1000; i++) evidence.add(i % 50 === 0 ? 25 : 1);
 * const { low, high } = meanInterval(evidence, { index: 2 });
 * console.log(low.toFixed(2), high.toFixed(2)); // 1.15 2.59
 * ```
 */
export function meanInterval(stream: MeanEvidence, tail: VouchedTail, error = 0.05): Interval {
  const { cap, floor } = stream;
  if ("index" in tail) {
    if (!(tail.index > 1 && tail.index < Infinity)) {
      const message = `index must be a finite number above 1, got ${show(tail.index)}; the losses may have no mean; the capped figures stand`;
      throw new TsallisError("ERR_PARAMETER", "index", tail.index, message);
    }
    // An end that has two statements shares its half of the error between them.
    const thresholdOf = (limit: number) => logOf(limit === 0 ? 2 : 4, error);
    const { low, high } = stream.intervalAt(thresholdOf(floor), thresholdOf(cap));
    const beyond = (limit: number, events: number) =>
      limit === 0
        ? 0
        : (Math.abs(limit) / (tail.index - 1)) * largestProbability(events + stream.missing, stream.share * stream.rounds, logOf(4, error));
    return { low: low - beyond(floor, stream.beyondFloor), high: high + beyond(cap, stream.beyondCap) };
  }
  const { alpha, sigma } = tail;
  if (!(alpha > 1 && alpha < Infinity)) {
    throw new TsallisError("ERR_PARAMETER", "alpha", alpha, `alpha must be a finite number above 1, got ${show(alpha)}`);
  }
  if (!(sigma > 0 && sigma < Infinity)) {
    throw new TsallisError("ERR_PARAMETER", "sigma", sigma, `sigma must be a finite number above 0, got ${show(sigma)}`);
  }
  const { low, high } = stream.interval(error);
  // The largest x - limit over x^alpha, at x = limit alpha / (alpha - 1).
  const beyond = (limit: number) =>
    limit === 0 ? 0 : (Math.abs(limit) * pow(sigma / Math.abs(limit), alpha) * pow(alpha - 1, alpha - 1)) / pow(alpha, alpha);
  return { low: low - beyond(floor), high: high + beyond(cap) };
}
