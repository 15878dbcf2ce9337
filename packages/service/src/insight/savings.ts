import { type Estimate, medianEstimate, quantileOfSorted } from "tsallis/statistics";
import type { History } from "../schemas.js";
import { type ClippedMean, clippedMean, differenceOf, meanEstimate, medianDifference } from "./differences.js";
import { formatCount, formatNumber } from "./formatNumber.js";
import type { OutcomeRing } from "./outcomeRing.js";

/** Fewer decisions on either side say nothing. */
export const FEWEST_COMPARED = 100;
/** Losses beyond this quantile of their sizes are clipped. */
const CLIPPED = 0.99;

type Savings = History["savings"];

/** The losses of both sides, and how many decisions were without feedback. */
interface Sides {
  readonly policy: Float64Array;
  readonly holdout: Float64Array;
  readonly silent: { readonly policy: number; readonly holdout: number };
}

/**
 * What the policy's decisions cost against those of the holdout, which are drawn uniformly. Policy losses are taken as independent; they come from a mixture
 * that moves as the policy learns, for which the variance within the sample is too large rather than too small.
 */
export function savings(
  outcomes: OutcomeRing,
  segment: number | null,
  settings: { readonly holdout: number; readonly expired: "ignore" | number },
): Savings {
  const { policy, holdout, silent } = sidesOf(outcomes, segment, settings.expired);
  const missing = missingSentence(settings.expired, silent);
  if (holdout.length < FEWEST_COMPARED) return unknown(`${fewSentence(holdout.length, settings.holdout)}${missing}`);
  if (policy.length < FEWEST_COMPARED) {
    return unknown(`Not enough yet: ${decisions(policy.length)} of the policy can be compared, and ${FEWEST_COMPARED} are needed.${missing}`);
  }
  const truncatedAt = limitOf(policy, holdout);
  const [ours, theirs] = [clippedMean(policy, truncatedAt), clippedMean(holdout, truncatedAt)];
  const mean = meanEstimate(differenceOf(theirs, ours), truncatedAt);
  const policySide = sideOf(policy, ours, truncatedAt);
  const holdoutSide = sideOf(holdout, theirs, truncatedAt);
  const median = medianDifference(holdoutSide.median, policySide.median);
  return { policy: policySide, holdout: holdoutSide, truncatedMean: mean, median, truncatedAt, sentence: `${sentence(mean, median)}${missing}` };
}

/**
 * Only what ended between the first and the last outcome of the holdout counts: a policy's decisions from before there was a holdout, or from after it was
 * switched off, would be compared with other times. A decision without feedback counts with the loss that the owner says it has now, on both sides.
 */
function sidesOf(outcomes: OutcomeRing, segment: number | null, expired: "ignore" | number): Sides {
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
  const silent = [0, 0] as [number, number];
  for (let i = first; i <= last; i++) {
    const slot = outcomes.slot(i);
    if (!isAsked(slot)) continue;
    const side = outcomes.isHoldout(slot) ? 1 : 0;
    const loss = outcomes.isExpired(slot) ? expired : outcomes.loss[slot]!;
    if (outcomes.isExpired(slot)) silent[side]++;
    if (loss !== "ignore") sides[side][counts[side]++] = loss;
  }
  return {
    policy: sides[0].subarray(0, counts[0]).sort(),
    holdout: sides[1].subarray(0, counts[1]).sort(),
    silent: { policy: silent[0], holdout: silent[1] },
  };
}

/** The 99 % quantile of the sizes of both together. If that is 0, of the sizes that are not 0: losses may be rare and still be what matters. */
function limitOf(policy: Float64Array, holdout: Float64Array): number {
  const sizes = new Float64Array(policy.length + holdout.length);
  sizes.set(policy);
  sizes.set(holdout, policy.length);
  sizes.forEach((loss, i) => {
    sizes[i] = Math.abs(loss);
  });
  sizes.sort();
  const limit = quantileOfSorted(sizes, CLIPPED);
  if (limit > 0) return limit;
  const positive = sizes.subarray(sizes.findIndex((size) => size > 0));
  return positive[0]! > 0 ? quantileOfSorted(positive, CLIPPED) : 0;
}

function sideOf(sorted: Float64Array, mean: ClippedMean, limit: number): NonNullable<Savings["policy"]> {
  return { answered: sorted.length, median: medianEstimate(sorted), truncatedMean: meanEstimate(mean, limit) };
}

function unknown(text: string): Savings {
  return { policy: null, holdout: null, truncatedMean: null, median: null, truncatedAt: null, sentence: text };
}

function fewSentence(seen: number, holdout: number): string {
  if (seen > 0) {
    const come = holdout > 0 ? "" : ' No more will come, since the holdout is 0 now: PATCH the bandit with { "holdout": 0.05 }.';
    return `Not enough yet: ${decisions(seen)} of the holdout can be compared, and ${FEWEST_COMPARED} are needed.${come}`;
  }
  return holdout > 0
    ? `Not enough yet: no decision of the holdout has an outcome, and ${FEWEST_COMPARED} are needed.`
    : 'There is no holdout to compare with. PATCH the bandit with { "holdout": 0.05 }, and 5 % of its decisions are drawn uniformly, which shows what the policy saves.';
}

function sentence(mean: Estimate, median: Estimate): string {
  const middle = `the median ${median.estimate < 0 ? "costs" : "saves"} ${range(median, median.estimate < 0)}${median.estimate < 0 ? " more" : ""}`;
  if (mean.low > 0) return `Each decision saves ${range(mean, false)} against the holdout, by truncated means; ${middle}.`;
  if (mean.high < 0) return `It costs more than the holdout: each decision costs ${range(mean, true)} more, by truncated means; ${middle}.`;
  return `No difference is visible yet: each decision saves ${range(mean, false)} against the holdout, by truncated means; ${middle}.`;
}

function range({ estimate, low, high }: Estimate, reversed: boolean): string {
  return reversed
    ? `${formatNumber(-estimate)} (${formatNumber(-high)} to ${formatNumber(-low)})`
    : `${formatNumber(estimate)} (${formatNumber(low)} to ${formatNumber(high)})`;
}

/** What is missing is said, and how it is counted: feedback that goes missing more often on one side, or for worse losses, makes the figures wrong. */
function missingSentence(expired: "ignore" | number, { policy, holdout }: Sides["silent"]): string {
  if (policy + holdout === 0) return "";
  const how = expired === "ignore" ? "are not counted" : `count with the loss ${formatNumber(expired)}`;
  return ` Decisions without feedback ${how}: ${formatCount(policy)} of the policy's and ${formatCount(holdout)} of the holdout's.`;
}

function decisions(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "decision" : "decisions"}`;
}
