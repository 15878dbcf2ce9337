import type { Environment } from "tsallis";
import { CompensatedSum } from "tsallis/statistics";

/** The rounds after `from`, up to `to`. @inline */
export interface Rounds {
  readonly from: number;
  readonly to: number;
}

/** Means that differ by less than this share of the larger one count as equal, as in the core's gaps. */
const TIE = 1e-12;

/**
 * The expected regret of uniform play in some rounds: the sum over the rounds of the mean, over the arms, of the gap to the best arm of the round. It
 * uses the means and not `gap`, which in a drifting environment looks at every arm for each gap.
 */
export function uniformRegret(environment: Environment, { from, to }: Rounds): number {
  const means = new Float64Array(environment.arms);
  // One distribution per arm for all rounds.
  if (environment.regime === "stochastic") return (to - from) * meanGap(environment, from + 1, means);
  const sum = new CompensatedSum();
  for (let round = from + 1; round <= to; round++) sum.add(meanGap(environment, round, means));
  return sum.value;
}

/** `means` is working memory. */
function meanGap(environment: Environment, round: number, means: Float64Array): number {
  let least = Infinity;
  for (let arm = 0; arm < means.length; arm++) {
    const mean = environment.mean(round, arm);
    means[arm] = mean;
    if (!(mean >= least)) least = mean;
  }
  let sum = 0;
  for (const mean of means) if (!(mean - least <= TIE * Math.max(Math.abs(mean), Math.abs(least)))) sum += mean - least;
  return sum / means.length;
}
