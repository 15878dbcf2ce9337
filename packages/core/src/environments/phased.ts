import type { DetailedDistribution } from "../distributions/distribution.js";
import { pow } from "../elementary/pow.js";
import { requireAlpha } from "./alpha.js";
import { assumptionsOf } from "./assumptionsOf.js";
import type { Environment } from "./environment.js";
import { environmentNoise } from "./environmentNoise.js";
import { environmentSpec } from "./environmentSpec.js";
import { gapsOf } from "./gapsOf.js";
import { requireCell } from "./requireCell.js";

/**
 * The environment of finitely many lists of distributions: round t draws from `lists[listOf(t)]`, one distribution per arm. Every list must occur.
 * The regime follows from the means, by the paper's definitions: with one list the environment is stochastic; with several it is
 * stochastically constrained if the same arm is best in all of them, else adversarial.
 */
export function phased(
  name: string,
  options: { readonly alpha: number; readonly [parameter: string]: unknown },
  seed: number,
  lists: readonly (readonly DetailedDistribution[])[],
  listOf: (round: number) => number,
  noise = environmentNoise(name, seed),
): Environment {
  const arms = lists[0]!.length;
  const gapsIn = lists.map((distributions) => gapsOf(distributions.map((distribution) => distribution.mean)));
  const oneIsBest = lists[0]!.some((_, arm) => gapsIn.every((gaps) => gaps[arm] === 0));
  const gaps = oneIsBest
    ? Object.freeze(lists[0]!.map((_, arm) => gapsIn.reduce((low, gaps) => Math.min(low, gaps[arm]!), Number.POSITIVE_INFINITY)))
    : undefined;

  function distribution(round: number, arm: number): DetailedDistribution {
    requireCell(arms, round, arm);
    return lists[listOf(round)]![arm]!;
  }

  // A cache: how many of the rounds 1 to `counted` drew from each list. No answer depends on it.
  let counted = 0;
  const counts = lists.map(() => 0);
  function countTo(round: number): void {
    if (round < counted) {
      counted = 0;
      counts.fill(0);
    }
    if (lists.length === 1) counts[0] = counted = round;
    while (counted < round) counts[listOf(++counted)]!++;
  }

  return Object.freeze({
    spec: environmentSpec(name, options),
    arms,
    alpha: options.alpha,
    regime: gaps === undefined ? "adversarial" : lists.length === 1 ? "stochastic" : "stochastically-constrained",
    loss: (round: number, arm: number) => distribution(round, arm).sample(noise.at(round, arm)),
    mean: (round: number, arm: number) => distribution(round, arm).mean,
    meanSum(round: number, arm: number) {
      requireCell(arms, round, arm);
      countTo(round);
      return lists.reduce((sum, distributions, list) => sum + counts[list]! * distributions[arm]!.mean, 0);
    },
    gap(round: number, arm: number) {
      requireCell(arms, round, arm);
      return gapsIn[listOf(round)]![arm]!;
    },
    gaps,
    distribution,
    sigma(alpha = options.alpha) {
      requireAlpha(alpha);
      let largest = 0;
      for (const distributions of lists) for (const distribution of distributions) largest = Math.max(largest, distribution.absoluteMoment(alpha));
      return pow(largest, 1 / alpha);
    },
    assumptions: assumptionsOf(lists, gaps, options.alpha),
  });
}
