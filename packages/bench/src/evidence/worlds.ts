import { bernoulli, constant, type Distribution, logNormal, lomax, mixture, normal, type PolicySpec, pareto, scaled, signed, uniform } from "tsallis";

/** A kind of losses: for each mean a distribution, and the cap and floor that are fixed beforehand. */
export interface World {
  readonly name: string;
  readonly cap: number;
  readonly floor: number;
  arm(mean: number): Distribution;
}

type Part = Parameters<typeof scaled>[0]["of"];

/** The distribution, scaled to a mean. */
function times(of: Part): (mean: number) => Distribution {
  return (mean) => scaled({ by: mean / of.mean, of });
}

const DISASTERS = mixture({ weights: [0.999, 0.001], of: [uniform({ low: 0, high: 1.001 }), constant({ value: 500 })] });

export const WORLDS: readonly World[] = [
  { name: "Pareto 1.2", cap: 20, floor: 0, arm: times(pareto({ shape: 1.2, scale: 1 })) },
  { name: "Pareto 1.6", cap: 20, floor: 0, arm: times(pareto({ shape: 1.6, scale: 1 })) },
  { name: "Pareto 2.5", cap: 20, floor: 0, arm: times(pareto({ shape: 2.5, scale: 1 })) },
  { name: "lognormal", cap: 20, floor: 0, arm: times(logNormal({ location: 0, scale: 1.5 })) },
  { name: "disasters", cap: 20, floor: 0, arm: times(DISASTERS) },
  { name: "signed Lomax", cap: 20, floor: -20, arm: times(signed({ p: 0.8, of: lomax({ shape: 1.8, scale: 1 }) })) },
  { name: "Bernoulli", cap: 1, floor: 0, arm: (mean) => bernoulli({ p: mean / 5 }) },
  { name: "normal", cap: 20, floor: -20, arm: (mean) => normal({ mean, deviation: 1 }) },
];

/** What makes the logs of which the coverage is measured. */
export interface Maker {
  readonly name: string;
  readonly spec: PolicySpec;
  /** The share of decisions whose arm is drawn uniformly at random. */
  readonly holdout: number;
}

export const MAKERS: readonly Maker[] = [
  { name: "matched-tinf, 5 % holdout", spec: { policy: "matched-tinf" }, holdout: 0.05 },
  { name: "matched-tinf", spec: { policy: "matched-tinf" }, holdout: 0 },
  { name: "htinf", spec: { policy: "htinf", alpha: 1.1, sigma: 3 }, holdout: 0 },
  { name: "thompson", spec: { policy: "thompson", sigma: 2 }, holdout: 0 },
];

/** The means of the arms; the first is the best. */
export const MEANS = [1, 1.3, 1.5, 1.75, 2];

export function worldOf(name: string): World {
  return WORLDS.find((world) => world.name === name)!;
}

/** The mean of losses of which each counts as at most the cap and at least the floor. */
export function cappedMean(distribution: Distribution, { cap, floor }: World): number {
  const above = distribution.survival(cap);
  const below = distribution.cdf(floor);
  // At the cap and the floor themselves, an atom counts once.
  return distribution.partialMean(floor * (1 - 1e-12) + 1e-300, cap * (1 - 1e-12)) + above * cap + below * floor;
}
