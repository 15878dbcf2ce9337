import type { Distribution } from "../distributions/distribution.js";

/** An environment as JSON: `{ "environment": "stochastic", "alpha": 1.5, "arms": [...] }`. */
export interface EnvironmentSpec {
  readonly environment: string;
  readonly [parameter: string]: unknown;
}

/** How much a world may change: not at all, in level while one arm stays best by the same gaps, or in any way that does not depend on what is played. */
export type Regime = "stochastic" | "stochastically-constrained" | "adversarial";

/** Whether one of the paper's assumptions holds here, and why; undefined if unknown. */
export interface Assumption {
  readonly holds: boolean | undefined;
  readonly reason: string;
}

/**
 * The world, oblivious: `loss(round, arm)` is a pure function of the spec and the seed, so every policy faces the same table
 * whatever it plays and in whatever order it asks. Rounds count from 1, arms from 0.
 *
 * @example
 * ```ts
 * import { createEnvironment } from "tsallis";
 *
 * const losses = [[0, 1], [1, 0], [0, 1]];
 * const world = createEnvironment({ environment: "replay", alpha: 2, losses }, 7);
 * console.log(world.arms, world.meanSum(3, 0), world.meanSum(3, 1)); // 2 1 2
 * ```
 */
export interface Environment {
  readonly spec: EnvironmentSpec;
  readonly arms: number;
  /** The moment order that the spec declares, in (1, 2]. */
  readonly alpha: number;
  readonly regime: Regime;
  /** The loss of the arm in that round. */
  loss(round: number, arm: number): number;
  /** The true mean of the arm's loss in that round. */
  mean(round: number, arm: number): number;
  /** The sum of the arm's means over rounds 1 to `round`, with which regret compares. Cheap if the rounds are asked for in rising order. */
  meanSum(round: number, arm: number): number;
  /** The arm's mean minus the smallest mean of that round. */
  gap(round: number, arm: number): number;
  /** Gaps to the best arm that hold in every round, per arm; undefined in adversarial regimes. */
  readonly gaps: readonly number[] | undefined;
  /** The distribution that the loss of (round, arm) is drawn from; a constant in a recorded table. */
  distribution(round: number, arm: number): Distribution;
  /** The sigma promised for a moment order: the largest (E|X|^alpha)^(1/alpha) over all rounds and arms. */
  sigma(alpha?: number): number;
  /** Which of the paper's assumptions hold. */
  readonly assumptions: {
    /** E|X|^alpha is bounded, at the declared alpha. */
    readonly heavyTailed: Assumption;
    /** An optimal arm's losses are truncated non-negative in every round. */
    readonly truncatedNonNegative: Assumption;
    /** The regime is stochastically constrained and one arm is strictly best in every round. */
    readonly uniqueBestArm: Assumption;
  };
}
