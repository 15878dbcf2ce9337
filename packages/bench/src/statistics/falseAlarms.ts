import { meanTest, twoSampleMeanTest, unequalSpreads } from "@tsallis/lab";
import type { SampleDistribution } from "./sampleDistributions.js";
import { type Share, shareOf } from "./share.js";
import { hitsOf } from "./trials.js";

/** How often a test finds a difference at the 5 % level. If the means are equal, each finding is a mistake. */
export interface FalseAlarms extends Share {
  readonly distribution: string;
  /** The size of one sample of differences, or of two samples. */
  readonly seeds: number | readonly [number, number];
  /** The deviation of the first sample divided by that of the second. */
  readonly spread: number;
}

/** Of two independent samples. */
export interface UnpairedAlarms extends FalseAlarms {
  /** The share of trials with a finding that comes without the warning on unequal spreads. */
  readonly unwarned: number;
}

const LEVEL = 0.05;

/** A Monte Carlo test keeps its level with fewer arrangements than the lab uses; the lab needs more for its smaller p values. */
const ARRANGEMENTS = 1999;

/** Tests differences whose mean is `shift`. */
export function pairedAlarms({ name, mean, draw }: SampleDistribution, seeds: number, trials: number, shift = 0): FalseAlarms {
  const hits = hitsOf(
    trials,
    (rng, resampler) => {
      const values = Float64Array.from({ length: seeds }, () => draw(rng) - mean + shift);
      return meanTest(values, resampler(seeds, ARRANGEMENTS)) < LEVEL;
    },
    "paired",
    name,
    seeds,
    String(shift),
  );
  return { distribution: name, seeds, spread: 1, ...shareOf(hits, trials) };
}

/** Tests two independent samples whose means are equal. */
export function unpairedAlarms(
  { name, mean, draw }: SampleDistribution,
  seeds: readonly [number, number],
  spread: number,
  trials: number,
): UnpairedAlarms {
  const [m, n] = seeds;
  let unwarned = 0;
  const hits = hitsOf(
    trials,
    (rng, resampler, another) => {
      const a = Float64Array.from({ length: m }, () => spread * (draw(rng) - mean));
      const b = Float64Array.from({ length: n }, () => draw(rng) - mean);
      const found = twoSampleMeanTest(a, b, resampler(m, ARRANGEMENTS), another(n, ARRANGEMENTS), rng) < LEVEL;
      if (found && !unequalSpreads(a, b)) unwarned++;
      return found;
    },
    "unpaired",
    name,
    m,
    n,
    spread,
  );
  return { distribution: name, seeds, spread, unwarned: unwarned / trials, ...shareOf(hits, trials) };
}
