import { elementary } from "tsallis";

/**
 * Sums of ln(value / threshold), and of its square, over the k largest values. The threshold is the next largest value. Both estimators of the tail
 * index use these sums.
 */
export interface Excesses {
  readonly k: number;
  readonly first: number;
  readonly second: number;
}

/** The excesses of positive values in ascending order, for k from 1 to their number - 1. */
export function excesses(sorted: Float64Array, k: number): Excesses {
  const threshold = elementary.log(sorted[sorted.length - 1 - k]!);
  let first = 0;
  let second = 0;
  for (let i = sorted.length - k; i < sorted.length; i++) {
    const excess = elementary.log(sorted[i]!) - threshold;
    first += excess;
    second += excess * excess;
  }
  return { k, first, second };
}

/** The excesses of several arms, each over its own threshold, so that arms of different scales need no other standardisation. */
export function pooledExcesses(parts: readonly Excesses[]): Excesses {
  return parts.reduce((sum, { k, first, second }) => ({ k: sum.k + k, first: sum.first + first, second: sum.second + second }));
}
