import type { Estimate } from "../statistics/interval.js";
import { quantileOfSorted } from "../statistics/quantile.js";
import { Z95 } from "./confidence.js";

/** The shares of the losses that lie beyond M; the first share includes all losses other than 0. */
const SHARES = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001] as const;
/** An M with fewer losses beyond it than this says nothing. */
const FEWEST = 20;
const BLOCKS = 200;

/** An estimate of E[X 1{|X| > M}] with its 95 % interval. */
export interface TruncatedMean extends Estimate {
  readonly threshold: number;
  readonly beyond: number;
  readonly error: number;
}

/**
 * E[X 1{|X| > M}] over a grid of M, from 0 into the tail, with M at quantiles of |X|. The standard error comes from the means of up to 200 blocks of
 * consecutive losses (two or more each), so that dependence between neighbours does not make it too small. Studentised means of symmetric laws
 * without a variance stray less than normal ones do (Logan, Mallows, Rice and Shepp 1973); those of laws with a right tail only are too low more
 * often.
 */
export function truncatedMeanProfile(losses: Float64Array): TruncatedMean[] {
  const sizes = losses.map(Math.abs).sort();
  const profile: TruncatedMean[] = [];
  for (const share of SHARES) {
    const threshold = share === 1 ? 0 : quantileOfSorted(sizes, 1 - share);
    if (threshold === profile.at(-1)?.threshold) continue;
    const point = truncatedMean(losses, threshold, sizes.at(-1)!);
    if (point.beyond < FEWEST) break;
    profile.push(point);
  }
  return profile;
}

/** Computed in units of the largest size, whose square may overflow a double. */
function truncatedMean(losses: Float64Array, threshold: number, unit: number): TruncatedMean {
  const blocks = Math.min(BLOCKS, Math.floor(losses.length / 2));
  const sums = new Float64Array(blocks);
  let beyond = 0;
  for (let block = 0; block < blocks; block++) {
    const end = Math.floor(((block + 1) * losses.length) / blocks);
    let sum = 0;
    for (let i = Math.floor((block * losses.length) / blocks); i < end; i++) {
      if (!(Math.abs(losses[i]!) > threshold)) continue;
      sum += losses[i]! / unit;
      beyond++;
    }
    sums[block] = sum;
  }
  const centre = sums.reduce((sum, each) => sum + each, 0) / blocks;
  const squares = sums.reduce((sum, each) => sum + (each - centre) * (each - centre), 0);
  const scale = (unit * blocks) / losses.length;
  const estimate = scale * centre;
  const error = scale * Math.sqrt(squares / (blocks - 1) / blocks);
  return { threshold, beyond, estimate, error, low: estimate - Z95 * error, high: estimate + Z95 * error };
}
