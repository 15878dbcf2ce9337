import { expm1 } from "../elementary/expm1.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import { show, TsallisError } from "../errors.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { VALUE_RANGE } from "./ranges.js";
import { symmetricVerdict } from "./truncatedNonNegativity.js";

export const UNIFORM = {
  low: { ...VALUE_RANGE, description: "the smallest value" },
  high: { ...VALUE_RANGE, description: "the largest value, above low" },
} as const satisfies Parameters;

/**
 * Uniform between low and high.
 *
 * @example
 * ```ts
 * import { uniform } from "tsallis";
 *
 * const distribution = uniform({ low: 0, high: 1 });
 * console.log(distribution.mean, distribution.quantile(0.25)); // 0.5 0.25
 * ```
 */
export function uniform(options: Completed<typeof UNIFORM>, path = ""): DetailedDistribution {
  const { low, high } = completeOptions(UNIFORM, options, path);
  if (!(low < high)) {
    throw new TsallisError("ERR_PARAMETER", `${path}high`, high, `${path}high must be above low, ${show(low)}, got ${show(high)}`);
  }
  const width = high - low;
  const momentAbout = (centre: number, order: number) => {
    const [near, far] = [Math.abs(low - centre), Math.abs(high - centre)].sort((a, b) => a - b) as [number, number];
    // In units of the farther end: (1 -+ (near / far)^(order + 1)) / ((order + 1) width), with the minus if both ends are on one side of the centre.
    const share = width / far;
    const outside = centre <= low || centre >= high;
    const total = outside ? -expm1((order + 1) * log1p(-Math.min(share, 1))) : 1 + pow(near / far, order + 1);
    return share > 0 ? (pow(far, order) * total) / ((order + 1) * share) : pow(far, order);
  };
  return completeDistribution({
    spec: { distribution: "uniform", low, high },
    mean: 0.5 * (low + high),
    variance: (width * width) / 12,
    low,
    high,
    closedPartialMean: true,
    absoluteMoment: (order) => momentAbout(0, order),
    momentAbout,
    partialMean(from, to) {
      const a = Math.max(from, low);
      const b = Math.min(to, high);
      return a < b ? ((b - a) / width) * (0.5 * (a + b)) : 0;
    },
    cdf: (x) => Math.min(1, Math.max(0, (x - low) / width)),
    survival: (x) => Math.min(1, Math.max(0, (high - x) / width)),
    quantile: (p) => (p <= 0.5 ? low + p * width : high - (1 - p) * width),
    sample: (rng) => low + rng.uniform() * width,
    verdict: symmetricVerdict,
  });
}
