import { elementary } from "tsallis";

/** Sums over the k largest values, of ln(value / threshold) and of its square, where the threshold is the next largest value. Both estimators of the tail index are made of these. */
export interface Excesses {
  readonly k: number;
  readonly first: number;
  readonly second: number;
}

/** Of positive values in ascending order, for k from 1 to their number - 1. */
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

/** Those of several arms, each over its own threshold: so arms of different scale are put together without any other standardisation. */
export function pooledExcesses(parts: readonly Excesses[]): Excesses {
  return parts.reduce((sum, { k, first, second }) => ({ k: sum.k + k, first: sum.first + first, second: sum.second + second }));
}
