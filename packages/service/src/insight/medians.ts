import { type Estimate, medianEstimate } from "tsallis/statistics";
import type { History } from "../schemas.js";
import type { OutcomeRing } from "./outcomeRing.js";

/** Fewer decisions on either side say nothing. */
const FEWEST_COMPARED = 100;

type Medians = History["medians"];

/** The median loss of the policy's decisions and of the holdout's, which are drawn uniformly. */
export function medians(outcomes: OutcomeRing, segment: number | null, expired: "ignore" | number): Medians {
  const [policy, holdout] = sidesOf(outcomes, segment, expired);
  if (policy.length < FEWEST_COMPARED || holdout.length < FEWEST_COMPARED) return { policy: null, holdout: null, difference: null };
  const [ours, theirs] = [medianEstimate(policy), medianEstimate(holdout)];
  return {
    policy: { answered: policy.length, median: ours },
    holdout: { answered: holdout.length, median: theirs },
    difference: medianDifference(theirs, ours),
  };
}

/**
 * Only what ended between the first and the last outcome of the holdout counts: a policy's decisions from before there was a holdout, or from after it was
 * switched off, would be compared with other times. A decision without feedback counts with the loss that the owner says it has now, on both sides.
 */
function sidesOf(outcomes: OutcomeRing, segment: number | null, expired: "ignore" | number): [policy: Float64Array, holdout: Float64Array] {
  const { size } = outcomes;
  const isAsked = (slot: number): boolean => segment === null || outcomes.segment[slot] === segment;
  let [first, last] = [size, -1];
  for (let i = 0; i < size; i++) {
    const slot = outcomes.slot(i);
    if (!isAsked(slot) || !outcomes.isHoldout(slot)) continue;
    first = Math.min(first, i);
    last = i;
  }
  const room = Math.max(0, last - first + 1);
  const sides = [new Float64Array(room), new Float64Array(room)] as const;
  const counts = [0, 0] as [number, number];
  for (let i = first; i <= last; i++) {
    const slot = outcomes.slot(i);
    if (!isAsked(slot)) continue;
    const side = outcomes.isHoldout(slot) ? 1 : 0;
    const loss = outcomes.isExpired(slot) ? expired : outcomes.loss[slot]!;
    if (loss !== "ignore") sides[side][counts[side]++] = loss;
  }
  return [sides[0].subarray(0, counts[0]).sort(), sides[1].subarray(0, counts[1]).sort()];
}

/**
 * The difference of two independent medians, with the interval that follows from theirs by square-and-add (Zou and Donner, "Construction of confidence
 * limits about effect measures: a general approach", Statistics in Medicine 27, 2008): the distance to either limit is the hypotenuse of the distances
 * of the two medians to theirs. It needs no estimate of the density at the median, which other methods do and which ties spoil.
 */
export function medianDifference(a: Estimate, b: Estimate): Estimate {
  const estimate = a.estimate - b.estimate;
  return {
    estimate,
    low: estimate - Math.hypot(a.estimate - a.low, b.high - b.estimate),
    high: estimate + Math.hypot(a.high - a.estimate, b.estimate - b.low),
  };
}
