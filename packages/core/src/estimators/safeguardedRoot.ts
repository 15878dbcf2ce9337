import { doubleOf, rankOf } from "../special/rank.js";

/** A decreasing function: `at` computes its value, its derivative and the size of the terms that were summed to the value. */
export interface Decreasing {
  value: number;
  slope: number;
  size: number;
  at(x: number): void;
}

/** A value below 2^-50 times its terms is zero up to rounding. */
const ROUNDING = 8.881784197001252e-16;
const NEWTON_STEPS = 40;

/**
 * The zero of a decreasing function between low and high, where it has one, by Newton's method from a start between them. A step that leaves the bracket, or that is more than
 * half the step before the last, is replaced by halving the bracket; after 40 steps there is only halving. The halving is on the scale of the doubles, so a bracket from
 * -1e300 to 1e300 takes no longer than any other.
 */
export function safeguardedRoot(f: Decreasing, low: number, high: number, start: number): number {
  let x = start;
  let last = Infinity;
  let lastButOne = Infinity;
  for (let step = 0; ; step++) {
    f.at(x);
    if (Math.abs(f.value) <= ROUNDING * f.size) return x;
    if (f.value > 0) low = x;
    else high = x;
    let next = x - f.value / f.slope;
    if (!(next > low && next < high && Math.abs(next - x) <= lastButOne / 2 && step < NEWTON_STEPS)) next = halfWay(low, high);
    if (!(next > low && next < high)) return x;
    lastButOne = last;
    last = Math.abs(next - x);
    x = next;
  }
}

/** The double half-way between two others in the order of all doubles. */
function halfWay(low: number, high: number): number {
  return doubleOf((rankOf(low) + rankOf(high)) >> 1n);
}
