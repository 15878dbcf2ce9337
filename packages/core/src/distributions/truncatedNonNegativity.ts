import type { DetailedDistribution, Verdict } from "./distribution.js";

/**
 * Whether sign X + shift is truncated non-negative: g(M) = E[(sign X + shift) 1{|sign X + shift| > M}] >= 0 for every M >= 0. Four facts decide most cases
 * for every distribution: g(0) is the mean; g >= 0 if no value is negative; beyond the right end of the support only negative values are left; and
 * of two power tails the heavier one decides the sign of g for large M. The distribution's own argument decides the rest.
 */
export function truncatedNonNegativity(
  { low, high, mean, leftIndex, rightIndex }: Pick<DetailedDistribution, "low" | "high" | "mean" | "leftIndex" | "rightIndex">,
  sign: 1 | -1,
  shift: number,
  otherwise: (sign: 1 | -1, shift: number) => Verdict,
): Verdict {
  const left = (sign > 0 ? low : -high) + shift;
  const right = (sign > 0 ? high : -low) + shift;
  if (left >= 0) return { holds: true, reason: "it is never negative" };
  if (sign * mean + shift < 0) return { holds: false, reason: "its mean is negative, and that is E[X 1{|X| > M}] at M = 0" };
  if (-left > right)
    return { holds: false, reason: "its negative values reach further out than its positive ones: beyond those only negative values are left" };
  if (sign > 0 ? leftIndex < rightIndex : rightIndex < leftIndex) {
    return { holds: false, reason: "its left tail is heavier than its right tail, so E[X 1{|X| > M}] < 0 for large M" };
  }
  return otherwise(sign, shift);
}

/** For distributions that are symmetric about their mean, once the mean is known to be non-negative. */
export function symmetricVerdict(): Verdict {
  return {
    holds: true,
    reason:
      "it is symmetric about its mean, which is not negative: of two mirror values mean + z and mean - z, |X| > M keeps both, with the sum 2 mean, or only the one of larger size, mean + z, or neither",
  };
}

/** For densities that decrease from the left end of the support to infinity, once the mean is known to be non-negative. */
export function decreasingVerdict(): Verdict {
  return {
    holds: true,
    reason:
      "its density decreases and its mean is not negative: with density f, the derivative of E[X 1{|X| > M}] is M (f(-M) - f(M)), which is positive at first and negative afterwards, so that the smallest values are those at M = 0, the mean, and at infinity, 0",
  };
}

/** For distributions shifted to the left whose density is not monotone. */
export function unknownVerdict(): Verdict {
  return { holds: undefined, reason: "its density is not monotone, and no proof is known for a distribution that takes negative values as well" };
}
