import type { DetailedDistribution } from "../distributions/distribution.js";
import type { Assumption, Environment } from "./environment.js";
import { gapsOf } from "./gapsOf.js";

/** One distribution per arm in each. */
type Lists = readonly (readonly DetailedDistribution[])[];

/**
 * The paper's Assumptions 1 to 3 for an environment that uses the given lists of distributions, or mixtures of them, in some order.
 * `gaps` lists, per arm, the gap that holds in every round; it is undefined if no arm is best in every round.
 * Statements that an assumption fails are about horizons that reach every list.
 */
export function assumptionsOf(lists: Lists, gaps: readonly number[] | undefined, alpha: number): Environment["assumptions"] {
  return Object.freeze({
    heavyTailed: Object.freeze(heavyTailed(lists, alpha)),
    truncatedNonNegative: Object.freeze(gaps === undefined ? ofAnyContender(lists) : ofAnyBest(lists, gaps)),
    uniqueBestArm: Object.freeze(uniqueBestArm(gaps)),
  });
}

function heavyTailed(lists: Lists, alpha: number): Assumption {
  for (const distributions of lists) {
    for (const [arm, distribution] of distributions.entries()) {
      if (Number.isFinite(distribution.absoluteMoment(alpha))) continue;
      const exists = alpha < Math.min(distribution.leftIndex, distribution.rightIndex);
      const reason = exists ? `E|X|^${alpha} is beyond the range of a double, 1.8e308, for arm ${arm}` : `E|X|^${alpha} is infinite for arm ${arm}`;
      return { holds: false, reason };
    }
  }
  return { holds: true, reason: `E|X|^${alpha} is bounded for all arms in all rounds` };
}

function uniqueBestArm(gaps: readonly number[] | undefined): Assumption {
  if (gaps === undefined) return { holds: false, reason: "no arm is best in every round: the regime is adversarial" };
  const best = gaps.flatMap((gap, arm) => (gap > 0 ? [] : [arm]));
  return best.length === 1
    ? { holds: true, reason: `arm ${best[0]} is strictly best in every round` }
    : { holds: false, reason: `arms ${best[0]} and ${best[1]} are each best in some round` };
}

/** It is enough that one arm is best in every round and truncated non-negative in every round. */
function ofAnyBest(lists: Lists, gaps: readonly number[]): Assumption {
  const gapsIn = lists.map((distributions) => gapsOf(distributions.map((distribution) => distribution.mean)));
  const best = gaps.flatMap((_, arm) => (gapsIn.every((list) => list[arm] === 0) ? [arm] : []));
  const judged = best.map((arm) => ofArm(lists, arm));
  const chosen = judged.find(({ holds }) => holds) ?? judged.find(({ holds }) => holds === undefined) ?? judged[0]!;
  return { holds: chosen.holds, reason: `of the best arm: ${chosen.reason}` };
}

/**
 * The best arm in hindsight depends on the horizon. An arm can never be it if one other arm has a smaller mean in every list.
 * There is an answer only if the remaining arms are all truncated non-negative, or all not.
 */
function ofAnyContender(lists: Lists): Assumption {
  const contenders = lists[0]!.flatMap((_, arm) =>
    lists[0]!.some((_, other) => lists.every((distributions) => gapsOf([distributions[other]!.mean, distributions[arm]!.mean])[1]! > 0)) ? [] : [arm],
  );
  const judged = contenders.map((arm) => ofArm(lists, arm));
  if (judged.every(({ holds }) => holds === true)) {
    return { holds: true, reason: "every arm that can be best in hindsight is truncated non-negative in every round" };
  }
  const against = judged.find(({ holds }) => holds === false) ?? judged.find(({ holds }) => holds !== true)!;
  return judged.every(({ holds }) => holds === false)
    ? { holds: false, reason: `no arm that can be best in hindsight is truncated non-negative in every round; ${against.reason}` }
    : { holds: undefined, reason: `the best arm in hindsight depends on the horizon; ${against.reason}` };
}

/** The answer for one arm over all lists. A mixture of truncated non-negative distributions is truncated non-negative too, because E[X 1{|X| > M}] is linear in the distribution. */
function ofArm(lists: Lists, arm: number): Assumption {
  const distributions = lists.map((list) => list[arm]!);
  const against =
    distributions.find((distribution) => distribution.truncatedNonNegative === false) ??
    distributions.find((distribution) => distribution.truncatedNonNegative === undefined);
  return against === undefined
    ? { holds: true, reason: `arm ${arm} is truncated non-negative in every round` }
    : { holds: against.truncatedNonNegative, reason: `arm ${arm}: ${against.truncatedNonNegativeReason}` };
}
