import { pow } from "../elementary/pow.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeLaw } from "./completeLaw.js";
import type { Law } from "./law.js";
import { mappedBack } from "./mappedBack.js";
import { requireLaw } from "./requireLaw.js";

export const SCALED = {
  by: { type: "number", above: 0, description: "the factor" },
  of: { type: "distribution", description: "the law of Y" },
} as const satisfies Parameters;

/** by Y. */
export function scaled(options: Completed<typeof SCALED>, path = ""): Law {
  const completed = completeOptions(SCALED, options, path);
  const { by } = completed;
  const of = requireLaw(completed.of, `${path}of`);
  const atoms = of.atoms.map((atom) => by * atom);
  const back = mappedBack(of.atoms, atoms, (x) => x / by);
  return completeLaw({
    spec: { distribution: "scaled", by, of: of.spec },
    mean: by * of.mean,
    variance: by * by * of.variance,
    low: by * of.low,
    high: by * of.high,
    leftIndex: of.leftIndex,
    rightIndex: of.rightIndex,
    atoms: Object.freeze(atoms),
    absoluteMoment: (order) => pow(by, order) * of.absoluteMoment(order),
    momentAbout: (centre, order) => pow(by, order) * of.momentAbout(centre / by, order),
    partialMean: (low, high) => by * of.partialMean(back(low), back(high)),
    cdf: (x) => of.cdf(back(x)),
    survival: (x) => of.survival(back(x)),
    quantile: (p) => by * of.quantile(p),
    sample: (rng) => by * of.sample(rng),
    verdict: (sign, shift) => of.truncatedNonNegativity(sign, shift / by),
  });
}
