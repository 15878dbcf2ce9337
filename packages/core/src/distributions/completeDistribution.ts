import { show, TsallisError } from "../errors.js";
import type { Rng } from "../random/rng.js";
import { doubleOf, nextUp, rankOf } from "../special/rank.js";
import type { DetailedDistribution, DistributionSpec, Verdict } from "./distribution.js";
import { truncatedNonNegativity } from "./truncatedNonNegativity.js";

/** The parts that each distribution writes itself. Its functions see checked arguments only: finite x, order > 0, low <= high, p in (0, 1). */
export interface DistributionParts {
  readonly spec: DistributionSpec;
  readonly mean: number;
  readonly variance: number;
  readonly low: number;
  readonly high: number;
  /** Default: Infinity. */
  readonly leftIndex?: number;
  readonly rightIndex?: number;
  readonly atoms?: readonly number[];
  readonly closedPartialMean: boolean;
  absoluteMoment(order: number): number;
  momentAbout(centre: number, order: number): number;
  partialMean(low: number, high: number): number;
  cdf(x: number): number;
  survival(x: number): number;
  /** Default: a search in `cdf` and `survival`. */
  quantile?(p: number): number;
  sample(rng: Rng): number;
  /** The verdict on sign X + shift where the rules for all distributions leave it open. */
  verdict(sign: 1 | -1, shift: number): Verdict;
}

/** Makes a distribution of its parts: adds the guards, and everything that follows from the parts in the same way for every distribution. */
export function completeDistribution(parts: DistributionParts): DetailedDistribution {
  const { mean, low, high, leftIndex = Infinity, rightIndex = Infinity, atoms = [] } = parts;
  // If the mean overflows, there is no centre to compute a variance about.
  const variance = Number.isFinite(mean) ? parts.variance : Infinity;
  const facts = { low, high, mean, leftIndex, rightIndex };
  const verdictOn = (sign: 1 | -1, shift: number) => truncatedNonNegativity(facts, sign, shift, parts.verdict);
  const verdict = verdictOn(1, 0);

  const distribution: DetailedDistribution = {
    ...facts,
    spec: Object.freeze(parts.spec),
    variance,
    atoms,
    closedPartialMean: parts.closedPartialMean,
    truncatedNonNegative: verdict.holds,
    truncatedNonNegativeReason: verdict.reason,
    absoluteMoment(order) {
      requireOrder(order);
      return order === 0 ? 1 : parts.absoluteMoment(order);
    },
    momentAbout(centre, order) {
      requireOrder(order);
      if (!Number.isFinite(centre)) throw new TsallisError("ERR_PARAMETER", "centre", centre, `centre must be a finite number, got ${show(centre)}`);
      if (order === 0) return 1;
      if (order >= Math.min(leftIndex, rightIndex)) return Infinity;
      if (centre === 0) return parts.absoluteMoment(order);
      if (order === 2) return variance + (mean - centre) * (mean - centre);
      if (order === 1) {
        const above = distribution.partialMean(centre, Infinity) - centre * distribution.survival(centre);
        return above + centre * distribution.cdf(centre) - distribution.partialMean(-Infinity, centre);
      }
      return parts.momentAbout(centre, order);
    },
    partialMean(from, to) {
      requireNumber("low", from);
      requireNumber("high", to);
      return from <= to ? parts.partialMean(from, to) : 0;
    },
    truncatedMean(radius) {
      if (!(radius >= 0)) throw new TsallisError("ERR_PARAMETER", "radius", radius, `radius must be a number of at least 0, got ${show(radius)}`);
      return parts.partialMean(-radius, radius);
    },
    cdf(x) {
      requireNumber("x", x);
      return Math.abs(x) < Infinity ? parts.cdf(x) : x > 0 ? 1 : 0;
    },
    survival(x) {
      requireNumber("x", x);
      return Math.abs(x) < Infinity ? parts.survival(x) : x > 0 ? 0 : 1;
    },
    quantile(p) {
      if (!(p > 0 && p < 1)) throw new TsallisError("ERR_PARAMETER", "p", p, `p must be in (0, 1), got ${show(p)}`);
      return parts.quantile === undefined ? quantileBySearch(distribution, p) : parts.quantile(p);
    },
    sample(rng) {
      const x = parts.sample(rng);
      return Math.abs(x) < Infinity ? x : x > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE;
    },
    truncatedNonNegativity: verdictOn,
  };
  return Object.freeze(distribution);
}

function requireOrder(order: number): void {
  if (!(order >= 0 && order < Infinity)) {
    throw new TsallisError("ERR_PARAMETER", "order", order, `order must be a finite number of at least 0, got ${show(order)}`);
  }
}

function requireNumber(name: string, x: number): void {
  if (!(typeof x === "number" && !Number.isNaN(x))) throw new TsallisError("ERR_PARAMETER", name, x, `${name} must be a number, got ${show(x)}`);
}

/**
 * The smallest double x with P(X <= x) >= p, by bisection over all doubles of the support: at most 64 evaluations, right at atoms and in flat
 * stretches, and as accurate as the two functions themselves. Above the median it tests P(X > x) <= 1 - p instead, which keeps the right tail's digits.
 */
function quantileBySearch(distribution: Pick<DetailedDistribution, "cdf" | "survival" | "low" | "high">, p: number): number {
  const enough = p <= 0.5 ? (x: number) => distribution.cdf(x) >= p : (x: number) => distribution.survival(nextUp(x)) <= 1 - p;
  let below = rankOf(Math.max(distribution.low, -Number.MAX_VALUE)) - 1n;
  let above = rankOf(Math.min(distribution.high, Number.MAX_VALUE));
  while (above - below > 1n) {
    const middle = (below + above) >> 1n;
    if (enough(doubleOf(middle))) above = middle;
    else below = middle;
  }
  return doubleOf(above);
}
