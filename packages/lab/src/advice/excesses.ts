import { elementary } from "tsallis";

/** The sum of ln(value / threshold) over the k largest values. The threshold is the next largest value. */
export interface Excesses {
  readonly k: number;
  readonly first: number;
}

/** The excesses of positive values in ascending order, for k from 1 to their number - 1. */
export function excesses(sorted: Float64Array, k: number): Excesses {
  const threshold = elementary.log(sorted[sorted.length - 1 - k]!);
  let first = 0;
  for (let i = sorted.length - k; i < sorted.length; i++) {
    first += elementary.log(sorted[i]!) - threshold;
  }
  return { k, first };
}

/** The excesses of several arms, each over its own threshold, so that arms of different scales need no other standardisation. */
export function pooledExcesses(parts: readonly Excesses[]): Excesses {
  return parts.reduce((sum, { k, first }) => ({ k: sum.k + k, first: sum.first + first }));
}
