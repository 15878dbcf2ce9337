import { pow } from "../elementary/pow.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { timesPower } from "./moments.js";
import { mappedBack } from "./shifted.js";

export const SCALED = {
  by: { type: "number", atLeast: 1e-300, atMost: 1e300, description: "the factor" },
  of: { type: "distribution", description: "the distribution of Y" },
} as const satisfies Parameters;

/**
 * by Y.
 *
 * @example
 * ```ts
 * import { pareto, scaled } from "tsallis";
 *
 * const distribution = scaled({ by: 0.1, of: pareto({ shape: 1.5, scale: 1 }) });
 * console.log(distribution.mean.toFixed(2)); // 0.30
 * ```
 */
export function scaled(options: Completed<typeof SCALED>, path = ""): DetailedDistribution {
  const { by, of } = completeOptions(SCALED, options, path);
  const atoms = of.atoms.map((atom) => by * atom);
  const back = mappedBack(of.atoms, atoms, (x) => x / by);
  return completeDistribution({
    spec: { distribution: "scaled", by, of: of.spec },
    mean: by * of.mean,
    variance: by * (by * of.variance),
    low: by * of.low,
    high: by * of.high,
    leftIndex: of.leftIndex,
    rightIndex: of.rightIndex,
    atoms: Object.freeze(atoms),
    closedPartialMean: of.closedPartialMean,
    absoluteMoment: (order) => timesPower(by, order, of.absoluteMoment(order)),
    // If centre / by overflows, the centre is so far away that the distribution is a point in comparison.
    momentAbout: (centre, order) =>
      Number.isFinite(centre / by) ? timesPower(by, order, of.momentAbout(centre / by, order)) : pow(Math.abs(centre), order),
    partialMean: (low, high) => by * of.partialMean(back(low), back(high)),
    cdf: (x) => of.cdf(back(x)),
    survival: (x) => of.survival(back(x)),
    quantile: (p) => by * of.quantile(p),
    sample: (rng) => by * of.sample(rng),
    verdict: (sign, shift) => of.truncatedNonNegativity(sign, shift / by),
  });
}
