import type { Distribution } from "../distributions/distribution.js";
import { pow } from "../elementary/pow.js";
import { Noise } from "../random/noise.js";
import { requireAlpha } from "./alpha.js";
import { assumptionsOf } from "./assumptionsOf.js";
import type { Environment } from "./environment.js";
import { environmentSpec } from "./environmentSpec.js";
import { requireCell } from "./requireCell.js";

/**
 * The environment of finitely many lists of laws: round t draws from `lists[listOf(t)]`, one law per arm. All lists must occur.
 * The regime follows from the means, by the paper's definitions: with one list the environment is stochastic; with several it is
 * stochastically constrained if one and the same arm is best in all of them, else adversarial.
 * The noise depends on the name and the seed only, so that two environments of one name and seed differ by their laws alone.
 */
export function phased(
  name: string,
  options: { readonly alpha: number; readonly [parameter: string]: unknown },
  seed: number,
  lists: readonly (readonly Distribution[])[],
  listOf: (round: number) => number,
): Environment {
  const arms = lists[0]!.length;
  const noise = new Noise(seed, "environment", name);
  const gapsOf = lists.map((laws) => {
    const least = laws.reduce((low, law) => Math.min(low, law.mean), Number.POSITIVE_INFINITY);
    return laws.map((law) => law.mean - least);
  });
  const oneIsBest = lists[0]!.some((_, arm) => gapsOf.every((gaps) => gaps[arm] === 0));
  const gaps = oneIsBest
    ? Object.freeze(lists[0]!.map((_, arm) => gapsOf.reduce((low, gaps) => Math.min(low, gaps[arm]!), Number.POSITIVE_INFINITY)))
    : undefined;

  function law(round: number, arm: number): Distribution {
    requireCell(arms, round, arm);
    return lists[listOf(round)]![arm]!;
  }

  return Object.freeze({
    spec: environmentSpec(name, options),
    arms,
    alpha: options.alpha,
    regime: gaps === undefined ? "adversarial" : lists.length === 1 ? "stochastic" : "stochastically-constrained",
    loss: (round: number, arm: number) => law(round, arm).sample(noise.at(round, arm)),
    mean: (round: number, arm: number) => law(round, arm).mean,
    gap(round: number, arm: number) {
      requireCell(arms, round, arm);
      return gapsOf[listOf(round)]![arm]!;
    },
    gaps,
    law,
    sigma(alpha = options.alpha) {
      requireAlpha(alpha);
      let largest = 0;
      for (const laws of lists) for (const law of laws) largest = Math.max(largest, law.absoluteMoment(alpha));
      return pow(largest, 1 / alpha);
    },
    assumptions: assumptionsOf(lists, gaps, options.alpha),
  });
}
