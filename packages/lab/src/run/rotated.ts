import type { Environment } from "tsallis";
import { plainArm } from "./plainArm.js";

/**
 * An environment as the policies see it: its arm a is arm (a + rotation) mod K of the given environment. The texts in the spec and in the reasons for
 * the assumptions still name the arms of the given environment.
 */
export function rotated(environment: Environment, rotation: number): Environment {
  if (rotation === 0) return environment;
  const { spec, arms, alpha, regime, gaps, assumptions } = environment;
  const plain = (arm: number) => plainArm(arm, rotation, arms);
  // Methods are called on the environment itself, because a user's environment may be an instance of a class.
  return Object.freeze({
    spec,
    arms,
    alpha,
    regime,
    loss: (round: number, arm: number) => environment.loss(round, plain(arm)),
    mean: (round: number, arm: number) => environment.mean(round, plain(arm)),
    meanSum: (round: number, arm: number) => environment.meanSum(round, plain(arm)),
    gap: (round: number, arm: number) => environment.gap(round, plain(arm)),
    gaps: gaps && Object.freeze(gaps.map((_, arm) => gaps[plain(arm)]!)),
    distribution: (round: number, arm: number) => environment.distribution(round, plain(arm)),
    sigma: (order?: number) => environment.sigma(order),
    assumptions,
  });
}
