// Alpha-stable distributions in the parametrisation S1 of G. Samorodnitsky and M. S. Taqqu, "Stable non-Gaussian random processes" (1994), for an index above 1, location 0:
// log E exp(i t X) = -(scale |t|)^index (1 - i skew sign(t) tan(pi index / 2)). The mean is 0, and the tails are about (1 +- skew) / 2 of a power of the index.
import { atan } from "../elementary/atan.js";
import { cosPi } from "../elementary/cosPi.js";
import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import { sinPi } from "../elementary/sinPi.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { logGamma } from "../special/logGamma.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { momentByQuadrature } from "./moments.js";
import { normalWithSpec } from "./normal.js";
import { SCALE_RANGE } from "./ranges.js";
import { stableTail } from "./stableTail.js";
import { symmetricVerdict } from "./truncatedNonNegativity.js";

export const STABLE = {
  index: { type: "number", atLeast: 1.05, atMost: 2, description: "the tail index; 2 is the normal distribution of variance 2 scale^2" },
  skew: { type: "number", atLeast: -1, atMost: 1, description: "0 is symmetric; above 0 the right tail is the heavier" },
  scale: { ...SCALE_RANGE, description: "the unit of X" },
} as const satisfies Parameters;

/**
 * Alpha-stable with mean 0: the limit of sums of heavy-tailed numbers. At index 2 it is normal with variance 2 scale^2.
 *
 * @example
 * ```ts
 * import { stable } from "tsallis";
 *
 * const distribution = stable({ index: 1.5, skew: 0, scale: 1 });
 * console.log(distribution.mean, distribution.variance, distribution.cdf(0)); // 0 Infinity 0.5
 * ```
 */
export function stable(options: Completed<typeof STABLE>, path = ""): DetailedDistribution {
  const { index, skew, scale } = completeOptions(STABLE, options, path);
  const spec = { distribution: "stable", index, skew, scale };
  if (index === 2) return normalWithSpec(spec, 0, Math.SQRT2 * scale);

  const half = 0.5 * (2 - index);
  const tangent = skew * (sinPi(half) / cosPi(half)); // -skew tan(pi index / 2)
  const angle = Math.abs(skew) === 1 ? skew * half : atan(tangent) / Math.PI;
  // The weights d of the two tails in stableTail.ts.
  const [leftWeight, rightWeight] = [half - angle, half + angle];
  const unit = scale * pow(1 + tangent * tangent, 0.5 / index);
  // Section 1.2 of Samorodnitsky and Taqqu, Stable Non-Gaussian Random Processes (1994); checked by numerical integration in the tests. The reflection formula rewrites Gamma(1 - a) cos(pi a / 2), which removes the singularity at a = 1.
  const absoluteMoment = (order: number) => {
    if (order >= index) return Infinity;
    const gammas = exp(logGamma((index - order) / index) + logGamma(1 + order) + order * log(unit));
    return (gammas * cosPi((order * angle) / index) * sinPi(0.5 * order)) / (0.5 * Math.PI * order);
  };
  const total = (0.5 * absoluteMoment(1)) / unit;
  const left = stableTail(index, leftWeight, total);
  const right = stableTail(index, rightWeight, total);
  const positivePart = (a: number, b: number) => (a < b ? right.partialMean(b / unit) - right.partialMean(a / unit) : 0);
  const negativePart = (a: number, b: number) => (a < b ? left.partialMean(b / unit) - left.partialMean(a / unit) : 0);

  const distribution: DetailedDistribution = completeDistribution({
    spec,
    mean: 0,
    variance: Infinity,
    low: -Infinity,
    high: Infinity,
    leftIndex: skew < 1 ? index : Infinity,
    rightIndex: skew > -1 ? index : Infinity,
    closedPartialMean: false,
    absoluteMoment,
    // For an index near 1 most of a skewed distribution lies far from its mean, about where the parametrisation S0 puts its location.
    momentAbout: (centre, order) => momentByQuadrature(distribution, centre, order, -scale * tangent, scale),
    partialMean: (low, high) => unit * (positivePart(Math.max(low, 0), high) - negativePart(Math.max(-high, 0), -low)),
    cdf: (x) => (x > 0 ? 1 - right.survival(x / unit) : left.survival(-x / unit)),
    survival: (x) => (x > 0 ? right.survival(x / unit) : 1 - left.survival(-x / unit)),
    // J. M. Chambers, C. L. Mallows and B. W. Stuck, "A method for simulating stable random variables", J. Amer. Stat. Assoc. 71 (1976), with angles in units of pi
    // measured from the end, so that nothing cancels there. A negative skew is the mirror image of a positive one: then all sines but the first are positive.
    sample(rng) {
      const d = Math.min(leftWeight, rightWeight);
      const u = rng.open();
      const power = (index - 1) / index;
      const ratio = -log(rng.open()) / sinPi((index - 1) * u + d);
      const x = (-unit * sinPi(index * u + d) * pow(ratio, power)) / pow(sinPi(u), 1 / index);
      return skew < 0 ? -x : x;
    },
    verdict(sign) {
      const lean = sign * skew;
      if (lean === 0) return symmetricVerdict();
      return lean < 0
        ? { holds: false, reason: "its left tail has the larger weight, so E[X 1{|X| > M}] < 0 for large M" }
        : { holds: undefined, reason: "its right tail is the heavier; numerically the property holds without a shift, but no proof is known" };
    },
  });
  return distribution;
}
