import { againstFirst, type BySeed, holm, type Resampler } from "@tsallis/lab";
import type { Rng } from "tsallis";
import { mean } from "tsallis/statistics";
import { type SampleDistribution, sampleDistribution } from "./sampleDistributions.js";
import { type Share, shareOf } from "./share.js";
import { hitsOf } from "./trials.js";

/** How often some policy of an environment is wrongly called clearly worse than the first, if all means are equal. */
export interface FalseLeads extends Share {
  readonly distribution: string;
  readonly policies: number;
  readonly seeds: number;
}

/** How often the best policy is called clear, if its mean is smaller than that of all others by `shift` deviations; regrets are normal. */
export interface TrueLeads extends Share {
  readonly policies: number;
  readonly seeds: number;
  readonly shift: number;
  /** The same by Holm's correction of the pairs with the first, which does not account for having picked the first on the same seeds. */
  readonly byHolm: number;
}

/** Whose regrets each policy has, by its position. */
export type Regrets = (policy: number) => SampleDistribution;

export const POLICIES = [2, 4, 7, 29];
export const LEAD_SEEDS = [20, 40];
/** The regret of every policy, each independent of the others. */
export const LEAD_DISTRIBUTIONS = ["normal", "exponential", "log-normal, scale 1", "Pareto, shape 2.5", "rare disasters"];

/** Policies that have nothing but their means in common. No target is set: with few seeds that show no disaster, no method can know of it. */
export const UNEQUAL: Readonly<Record<string, Regrets>> = {
  "normal, every other with 3 times the spread": (policy) => spread("normal", policy % 2 === 0 ? 3 : 1),
  "log-normal, every other with 3 times the spread": (policy) => spread("log-normal, scale 1", policy % 2 === 0 ? 3 : 1),
  "every other with rare disasters": (policy) => sampleDistribution(policy % 2 === 0 ? "rare disasters" : "normal"),
};

function spread(name: string, factor: number): SampleDistribution {
  const { mean, draw } = sampleDistribution(name);
  return { name, mean: factor * mean, draw: (rng) => factor * draw(rng) };
}

/** Shifts at which Holm's correction calls the best policy clear in about half and in about nine tenths of the trials: by number of policies and of seeds. */
export const SHIFTS: readonly (readonly [policies: number, seeds: number, shift: number])[] = [
  [2, 20, 0.68],
  [2, 20, 1.1],
  [2, 40, 0.47],
  [2, 40, 0.73],
  [4, 20, 0.92],
  [4, 20, 1.3],
  [4, 40, 0.63],
  [4, 40, 0.87],
  [7, 20, 1.05],
  [7, 20, 1.43],
  [7, 40, 0.69],
  [7, 40, 0.94],
  [29, 20, 1.33],
  [29, 20, 1.67],
  [29, 40, 0.88],
  [29, 40, 1.1],
];

/** A Monte Carlo test keeps its level with fewer arrangements than the lab uses. */
const ARRANGEMENTS = 1999;
const LEVEL = 0.05;

export function falseLeads(name: string, regrets: Regrets, policies: number, seeds: number, trials: number): FalseLeads {
  const hits = hitsOf(
    trials,
    (rng, resampler) => {
      const { rivals } = ranked(resampler, policies, seeds, (policy) => draw(regrets(policy), rng));
      return rivals.some(({ clear }) => clear);
    },
    "false leads",
    name,
    policies,
    seeds,
  );
  return { distribution: name, policies, seeds, ...shareOf(hits, trials) };
}

export function trueLeads(policies: number, seeds: number, shift: number, trials: number): TrueLeads {
  const normal = sampleDistribution("normal");
  let byHolm = 0;
  const hits = hitsOf(
    trials,
    (rng, resampler) => {
      const { first, rivals } = ranked(resampler, policies, seeds, (policy) => normal.draw(rng) - (policy === 0 ? shift : 0));
      if (first !== 0) return false;
      if (holm(rivals.map(({ comparison }) => comparison.p)).every((p) => p < LEVEL)) byHolm++;
      return rivals.every(({ clear }) => clear);
    },
    "true leads",
    policies,
    seeds,
    String(shift),
  );
  return { policies, seeds, shift, byHolm: byHolm / trials, ...shareOf(hits, trials) };
}

function draw({ draw, mean }: SampleDistribution, rng: Rng): number {
  return draw(rng) - mean;
}

function ranked(resampler: Resampler, policies: number, seeds: number, drawOf: (policy: number) => number) {
  const regrets = Array.from(
    { length: policies },
    (_, policy): BySeed => new Map(Array.from({ length: seeds }, (_, seed) => [seed, drawOf(policy)])),
  );
  const means = regrets.map((bySeed) => mean([...bySeed.values()]));
  const first = means.indexOf(Math.min(...means));
  const rivals = againstFirst(
    regrets[first]!,
    regrets.filter((_, policy) => policy !== first),
    resampler,
    ARRANGEMENTS,
  );
  return { first, rivals: rivals.map((rival) => rival!) };
}
