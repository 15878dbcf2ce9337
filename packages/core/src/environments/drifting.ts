import type { Distribution } from "../distributions/distribution.js";
import { mixture } from "../distributions/mixture.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { environmentNoise } from "./environmentNoise.js";
import { gapsOf } from "./gapsOf.js";
import { phased } from "./phased.js";
import { requireAlternate } from "./requireAlternate.js";
import { requireCell } from "./requireCell.js";

export const DRIFTING = {
  alpha: ALPHA,
  arms: { type: "distributions", minimum: 1, description: "the distributions of round 1" },
  alternate: { type: "distributions", minimum: 1, description: "the distributions from round rounds + 1 on" },
  rounds: { type: "integer", atLeast: 1, description: "the number of rounds that the drift takes" },
} as const satisfies Parameters;

/**
 * In round t the distribution of an arm is a mixture of its two distributions with weight w = min(1, (t - 1) / rounds) on `alternate`, so every mean drifts
 * linearly. Everything that is linear in the distribution lies between its values at the two ends, both of which occur: moments, hence sigma;
 * gaps to an arm that is best at both ends; E[X 1{|X| > M}]. So the answers for an environment of just the two lists hold here too.
 */
export function drifting(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(DRIFTING, options, path);
  const { arms, alternate, rounds } = completed;
  requireAlternate(arms, alternate, path);
  const noise = environmentNoise("drifting", seed);
  const ends = phased("drifting", completed, seed, [arms, alternate], (round) => (round > rounds ? 1 : 0), noise);
  const weightOf = (round: number) => Math.min(1, (round - 1) / rounds);

  function meanAt(weight: number, arm: number): number {
    return (1 - weight) * arms[arm]!.mean + weight * alternate[arm]!.mean;
  }

  return Object.freeze({
    ...ends,
    loss(round: number, arm: number) {
      requireCell(arms.length, round, arm);
      noise.at(round, arm);
      return (noise.uniform() < weightOf(round) ? alternate : arms)[arm]!.sample(noise);
    },
    mean(round: number, arm: number) {
      requireCell(arms.length, round, arm);
      return meanAt(weightOf(round), arm);
    },
    meanSum(round: number, arm: number) {
      requireCell(arms.length, round, arm);
      const drifted = Math.min(round, rounds);
      const weights = (drifted * (drifted - 1)) / 2 / rounds + (round - drifted);
      return (round - weights) * arms[arm]!.mean + weights * alternate[arm]!.mean;
    },
    gap(round: number, arm: number) {
      requireCell(arms.length, round, arm);
      const weight = weightOf(round);
      return gapsOf(arms.map((_, other) => meanAt(weight, other)))[arm]!;
    },
    distribution(round: number, arm: number): Distribution {
      requireCell(arms.length, round, arm);
      const weight = weightOf(round);
      if (weight === 0) return arms[arm]!;
      if (weight === 1) return alternate[arm]!;
      return mixture({ weights: [1 - weight, weight], of: [arms[arm]!, alternate[arm]!] });
    },
  });
}
