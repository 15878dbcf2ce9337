import type { DetailedDistribution } from "tsallis";
import { placeOf } from "./bent.js";

export interface Axis {
  readonly low: number;
  readonly high: number;
}

/** The losses to show of some distributions: the bulk of each, and 0. Far out in a heavy tail there is nothing to see. */
export function axisOf(distributions: readonly DetailedDistribution[]): Axis {
  const finite = (values: readonly number[]) => values.filter(Number.isFinite);
  const low = Math.min(0, ...finite(distributions.flatMap((distribution) => [distribution.quantile(0.02), distribution.mean])));
  const high = Math.max(0, ...finite(distributions.flatMap((distribution) => [distribution.quantile(0.95), distribution.mean])));
  const margin = (high - low || 1) * 0.15;
  return { low: low < 0 ? low - margin : 0, high: high + margin };
}

/** Whether the means and the tails' places lie on an axis, so that their handles can be seen. */
export function hasRoom({ low, high }: Axis, distributions: readonly DetailedDistribution[]): boolean {
  const places = distributions.flatMap((distribution) => [placeOf(distribution, "mean"), placeOf(distribution, "tail")]);
  return places.every((place) => !Number.isFinite(place) || (place >= low && place <= high));
}

/** A few round numbers of the axis. */
export function ticksOf({ low, high }: Axis): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / 5));
  const step = power * [1, 2, 5, 10].find((digit) => (high - low) / (power * digit) <= 5)!;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The share of the probability in each of equal pieces of the axis; the largest is 1. A density but for its unit, and points of a discrete distribution become bars. */
export function densityCurve(distribution: DetailedDistribution, { low, high }: Axis, pieces: number): number[] {
  const at = (piece: number) => distribution.cdf(low + ((high - low) * piece) / pieces);
  // A point at the left end belongs to the first piece.
  let before = low === 0 && distribution.low >= 0 ? 0 : at(0);
  const shares = Array.from({ length: pieces }, (_, piece) => {
    const upTo = at(piece + 1);
    const share = Math.max(0, upTo - before);
    before = upTo;
    return share;
  });
  const most = Math.max(...shares, Number.MIN_VALUE);
  return shares.map((share) => share / most);
}
