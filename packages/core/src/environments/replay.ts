import { constant } from "../distributions/constant.js";
import { TsallisError } from "../errors.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { digest } from "../random/labels.js";
import { ALPHA, requireAlpha } from "./alpha.js";
import type { Assumption, Environment } from "./environment.js";
import { environmentSpec } from "./environmentSpec.js";
import { requireCell } from "./requireCell.js";

export const REPLAY = {
  alpha: ALPHA,
  losses: { type: "table", minimum: 1, description: "the recorded losses: one row per round, one column per arm" },
} as const satisfies Parameters;

/**
 * A recorded table of losses, as an oblivious adversary would fix it: each entry is a distribution with a single value, which is its mean.
 * There is no randomness, so the seed changes nothing. (E|X|^alpha)^(1/alpha) is |X| for every alpha, so sigma is the largest size of a loss.
 */
export function replay(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(REPLAY, options, path);
  const { alpha, losses } = completed;
  digest(seed, ["environment", "replay"]); // only for its guard: every environment refuses the same seeds
  const arms = losses[0]!.length;
  const sigma = losses.reduce((high, row) => row.reduce((most, loss) => Math.max(most, Math.abs(loss)), high), 0);

  function loss(round: number, arm: number): number {
    requireCell(arms, round, arm);
    const row = losses[round - 1];
    if (row === undefined) {
      throw new TsallisError("ERR_ROUND", "round", round, `round must be at most ${losses.length}, the length of the recorded table, got ${round}`);
    }
    return row[arm]!;
  }

  // A cache of the sums of the first rows, for the rounds asked for so far; no answer depends on it.
  const sums = [new Array<number>(arms).fill(0)];
  function meanSum(round: number, arm: number): number {
    loss(round, arm); // only for its guards
    while (sums.length <= round) {
      const last = sums[sums.length - 1]!;
      sums.push(last.map((sum, i) => sum + losses[sums.length - 1]![i]!));
    }
    return sums[round]![arm]!;
  }

  return Object.freeze({
    spec: environmentSpec("replay", completed),
    arms,
    alpha,
    regime: "adversarial",
    loss,
    mean: loss,
    meanSum,
    gap: (round: number, arm: number) => loss(round, arm) - losses[round - 1]!.reduce((low, other) => Math.min(low, other), loss(round, arm)),
    gaps: undefined,
    distribution: (round: number, arm: number) => constant({ value: loss(round, arm) }),
    sigma(order = alpha) {
      requireAlpha(order);
      return sigma;
    },
    assumptions: Object.freeze({
      heavyTailed: Object.freeze({ holds: true, reason: `no recorded loss is larger than ${sigma} in size` }),
      truncatedNonNegative: Object.freeze(truncatedNonNegative(losses)),
      uniqueBestArm: Object.freeze({ holds: false, reason: "a recorded table is adversarial: it promises no gaps" }),
    }),
  });
}

/** A single value is truncated non-negative if it is not negative. That the assumption fails is stated for the horizon of the whole table. */
function truncatedNonNegative(losses: readonly (readonly number[])[]): Assumption {
  const negative = losses[0]!.map((_, arm) => losses.some((row) => row[arm]! < 0));
  if (!negative.includes(true)) return { holds: true, reason: "no recorded loss is negative" };
  return negative.includes(false)
    ? { holds: undefined, reason: `the best arm in hindsight depends on the horizon, and arm ${negative.indexOf(true)} has negative losses` }
    : { holds: false, reason: "every arm has negative losses" };
}
