import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { nextUp } from "../special/rank.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { VALUE_RANGE } from "./ranges.js";

export const SHIFTED = {
  by: { ...VALUE_RANGE, description: "the number that is added" },
  of: { type: "distribution", description: "the distribution of Y" },
} as const satisfies Parameters;

/**
 * Y + by.
 *
 * @example
 * ```ts
 * import { pareto, shifted } from "tsallis";
 *
 * const distribution = shifted({ by: -1, of: pareto({ shape: 1.5, scale: 1 }) });
 * console.log(distribution.mean, distribution.variance); // 2 Infinity
 * ```
 */
export function shifted(options: Completed<typeof SHIFTED>, path = ""): DetailedDistribution {
  const { by, of } = completeOptions(SHIFTED, options, path);
  const atoms = of.atoms.map((atom) => atom + by);
  const back = mappedBack(of.atoms, atoms, (x) => x - by);
  return completeDistribution({
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
function probabilityBetween(of: DetailedDistribution, low: number, high: number): number {
  const right = of.survival(low);
  return right < 0.5 ? right - of.survival(nextUp(high)) : of.cdf(high) - of.cdf(-nextUp(-low));
}

/**
 * The inverse of a rising map of values, exact at atoms. The formula alone is rounded: x - by for x = y + by may miss an atom y, or hit it from an x that is not its
 * image, and either error moves the whole probability of y. So an atom's image is mapped to the atom, and any other x that lands on an atom is moved just next to it.
 */
export function mappedBack(atoms: readonly number[], images: readonly number[], inverse: (x: number) => number): (x: number) => number {
  return (x) => {
    const image = images.indexOf(x);
    if (image >= 0) return atoms[image]!;
    const y = inverse(x);
    const hit = atoms.indexOf(y);
    if (hit < 0) return y;
    return x > images[hit]! ? nextUp(y) : -nextUp(-y);
  };
}
