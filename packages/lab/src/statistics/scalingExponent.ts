import type { Estimate } from "./interval.js";
import { type MeanCurve, partOf } from "./meanCurve.js";
import { powerSlope } from "./powerSlope.js";
import { tailStart } from "./tail.js";

/** How mean pseudo-regret grows with the rounds: the slope of its logarithm on the logarithm of the round, over the tail of the checkpoints. */
export function scalingExponent(rounds: readonly number[], curve: MeanCurve): Estimate | null {
  const start = tailStart(rounds);
  return start === null ? null : powerSlope(rounds.slice(start), partOf(curve, start, rounds.length));
}
