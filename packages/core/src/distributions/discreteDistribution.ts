import { pow } from "../elementary/pow.js";
import type { Rng } from "../random/rng.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution, DistributionSpec } from "./distribution.js";

/** `value` with the given probability, else 0. Every distribution on one or two values is one of these, shifted. */
export function discreteDistribution(spec: DistributionSpec, value: number, probability: number, sample: (rng: Rng) => number): DetailedDistribution {
  const points = [
    { x: 0, weight: 1 - probability },
    { x: value, weight: probability },
  ].filter(({ weight }) => weight > 0);
  const sumOf = (term: (x: number) => number) => points.reduce((sum, { x, weight }) => sum + weight * term(x), 0);
  const values = [...new Set(points.map(({ x }) => x))];
  return completeDistribution({
    spec,
    mean: 0 + value * probability,
    variance: probability * (1 - probability) * value * value,
    low: Math.min(...values),
    high: Math.max(...values),
    atoms: Object.freeze(values),
    closedPartialMean: true,
    absoluteMoment: (order) => sumOf((x) => pow(Math.abs(x), order)),
    momentAbout: (centre, order) => sumOf((x) => pow(Math.abs(x - centre), order)),
    partialMean: (from, to) => (from <= value && value <= to ? value * probability : 0),
    cdf: (x) => sumOf((point) => (point <= x ? 1 : 0)),
    survival: (x) => sumOf((point) => (point >= x ? 1 : 0)),
    sample,
    verdict: () => ({
      holds: true,
      reason: "it has two values, of which the positive one is no smaller in size, and its mean is not negative",
    }),
  });
}
