import { quantile } from "tsallis/statistics";
import type { OutcomeRing } from "./outcomeRing.js";

/** So much of the feedback has come when a decision counts as settled. With the longest of all delays in its place, few decisions would. */
const SETTLED = 0.99;

/**
 * An arm's losses in the order of its decisions, of those decisions for which small and large losses are known alike. Where the loss is a time, a large one
 * is known later: in the order of the feedback, small losses come first wherever traffic begins or grows, which looks as if the losses grew. So
 * decisions count only if they are older than nearly all feedback took, and not older than the oldest known outcome.
 */
export function settledLosses(outcomes: OutcomeRing, arm: number): Float64Array {
  const since = outcomes.dropped ? outcomes.at[outcomes.slot(0)]! : -Infinity;
  const slots: number[] = [];
  const delays: number[] = [];
  let last = -Infinity;
  for (let i = 0; i < outcomes.size; i++) {
    const slot = outcomes.slot(i);
    last = Math.max(last, outcomes.at[slot]!);
    if (outcomes.arm[slot] !== arm || outcomes.isExpired(slot)) continue;
    delays.push(outcomes.at[slot]! - outcomes.decided[slot]!);
    if (outcomes.decided[slot]! >= since) slots.push(slot);
  }
  const until = last - quantile(delays, SETTLED);
  const settled = slots.filter((slot) => outcomes.decided[slot]! <= until);
  settled.sort((a, b) => outcomes.decided[a]! - outcomes.decided[b]!);
  return Float64Array.from(settled, (slot) => outcomes.loss[slot]!);
}
