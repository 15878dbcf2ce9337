import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { nextUp } from "../special/rank.js";
import { completeLaw } from "./completeLaw.js";
import type { Law } from "./law.js";
import { mappedBack } from "./mappedBack.js";
import { VALUE_RANGE } from "./ranges.js";

export const SHIFTED = {
  by: { ...VALUE_RANGE, description: "the number that is added" },
  of: { type: "distribution", description: "the law of Y" },
} as const satisfies Parameters;

/**
 * Y + by.
 *
 * @example
 * ```ts
 * import { pareto, shifted } from "tsallis";
 *
 * const law = shifted({ by: -1, of: pareto({ shape: 1.5, scale: 1 }) });
 * console.log(law.mean, law.variance); // 2 Infinity
 * ```
 */
export function shifted(options: Completed<typeof SHIFTED>, path = ""): Law {
  const { by, of } = completeOptions(SHIFTED, options, path);
  const atoms = of.atoms.map((atom) => atom + by);
  const back = mappedBack(of.atoms, atoms, (x) => x - by);
  return completeLaw({
    spec: { distribution: "shifted", by, of: of.spec },
    mean: of.mean + by,
    variance: of.variance,
    low: of.low + by,
    high: of.high + by,
    leftIndex: of.leftIndex,
    rightIndex: of.rightIndex,
    atoms: Object.freeze(atoms),
    closedPartialMean: of.closedPartialMean,
    absoluteMoment: (order) => of.momentAbout(-by, order),
    momentAbout: (centre, order) => of.momentAbout(centre - by, order),
    partialMean(low, high) {
      const [from, to] = [back(low), back(high)];
      return of.partialMean(from, to) + by * probabilityBetween(of, from, to);
    },
    cdf: (x) => of.cdf(back(x)),
    survival: (x) => of.survival(back(x)),
    quantile: (p) => of.quantile(p) + by,
    sample: (rng) => of.sample(rng) + by,
    verdict: (sign, shift) => of.truncatedNonNegativity(sign, shift + sign * by),
  });
}

/** P(low <= Y <= high), from the smaller two tails. */
function probabilityBetween(of: Law, low: number, high: number): number {
  const right = of.survival(low);
  return right < 0.5 ? right - of.survival(nextUp(high)) : of.cdf(high) - of.cdf(-nextUp(-low));
}
