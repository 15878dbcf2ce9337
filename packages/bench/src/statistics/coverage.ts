import { meanCurve, meanInterval, scalingExponent } from "@tsallis/lab";
import { elementary, studentT } from "tsallis";
import { quantile } from "tsallis/statistics";
import { type GrowingCurves, ROUNDS } from "./growingCurves.js";
import type { SampleDistribution } from "./sampleDistributions.js";
import { type Share, shareOf } from "./share.js";
import { hitsOf } from "./trials.js";

/** How often a 95 % interval contains the truth. */
export interface Coverage extends Share {
  readonly of: "mean" | "exponent";
  readonly distribution: string;
  readonly seeds: number;
  /** The median length of the interval divided by that of Student's t. It is null for an exponent, and if most samples have no variance. */
  readonly width: number | null;
}

/** The coverage of the mean of some values of a distribution. */
export function meanCoverage({ name, mean, draw }: SampleDistribution, seeds: number, trials: number): Coverage {
  const student = (2 * studentT({ dof: seeds - 1, scale: 1 }).quantile(0.975)) / Math.sqrt(seeds);
  const widths: number[] = [];
  const hits = hitsOf(
    trials,
    (rng, resampler) => {
      const values = Float64Array.from({ length: seeds }, () => draw(rng));
      const { low, high } = meanInterval(values, resampler(seeds));
      widths.push((high - low) / (student * deviation(values)));
      return low <= mean && mean <= high;
    },
    "mean",
    name,
    seeds,
  );
  return { of: "mean", distribution: name, seeds, width: medianOf(widths), ...shareOf(hits, trials) };
}

/** The coverage of the exponent over the tail of the checkpoints. The truth is the same slope of the true mean. */
export function exponentCoverage({ name, mean, draw }: GrowingCurves, seeds: number, trials: number): Coverage {
  const truth = slopeOf(ROUNDS.map(mean));
  const hits = hitsOf(
    trials,
    (rng, resampler) => {
      const curves = Array.from({ length: seeds }, () => draw(rng));
      const { low, high } = scalingExponent(ROUNDS, meanCurve(curves, resampler(seeds)))!;
      return low <= truth && truth <= high;
    },
    "exponent",
    name,
    seeds,
  );
  return { of: "exponent", distribution: name, seeds, width: null, ...shareOf(hits, trials) };
}

function slopeOf(means: readonly number[]): number {
  const x = ROUNDS.map((round) => elementary.log(round));
  const centre = x.reduce((sum, value) => sum + value, 0) / x.length;
  const spread = x.reduce((sum, value) => sum + (value - centre) * (value - centre), 0);
  return x.reduce((sum, value, i) => sum + ((value - centre) / spread) * elementary.log(means[i]!), 0);
}

function deviation(values: Float64Array): number {
  const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) * (value - centre), 0) / (values.length - 1));
}

/** The interval of a sample of equal values is a point, and Student's has no length to compare it with. */
function medianOf(widths: readonly number[]): number | null {
  const finite = widths.filter(Number.isFinite);
  return finite.length < widths.length / 2 ? null : quantile(finite, 0.5);
}
