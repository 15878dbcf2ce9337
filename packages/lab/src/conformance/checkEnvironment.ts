import { createEnvironment, type Environment, type EnvironmentSpec } from "tsallis";
import { checkMeans } from "./checkMeans.js";
import { ensure, isNear } from "./ensure.js";

/** How far a check looks. */
export interface CheckEnvironmentOptions {
  /** The seed of the environment; 1 by default. */
  readonly seed?: number;
  /** The number of rounds that are looked at; 1000 by default. */
  readonly rounds?: number;
}

/**
 * Checks that an environment of your own keeps the rules that experiments rest on, and throws ERR_CONFORMANCE, with the cell and the numbers, where it does not.
 * Whether `mean` is the mean of your losses it cannot tell, unless the environment has distributions.
 *
 * @example
 * ```ts
 * import { checkEnvironment } from "@tsallis/lab";
 *
 * checkEnvironment({ environment: "lower-bound", alpha: 1.5, arms: 3, gap: 0.1 });
 * console.log("it keeps the rules"); // it keeps the rules
 * ```
 */
export function checkEnvironment(spec: EnvironmentSpec, { seed = 1, rounds = 1000 }: CheckEnvironmentOptions = {}): void {
  const environment = createEnvironment(spec, seed);
  requireSameTable(environment, createEnvironment(JSON.parse(JSON.stringify(environment.spec)), seed), rounds);
  const { arms, regime, gaps } = environment;
  const sigma = environment.sigma();
  ensure(sigma >= 0, `sigma() must be a number of at least 0, or Infinity, got ${sigma}`);
  ensure(regime !== "stochastically-constrained" || gaps !== undefined, "a stochastically constrained environment must have gaps");
  checkMeans(environment, rounds);
  for (let round = 1; round <= rounds; round++) {
    const means = Array.from({ length: arms }, (_, arm) => environment.mean(round, arm));
    const least = means.reduce((low, mean) => Math.min(low, mean));
    for (const [arm, mean] of means.entries()) {
      const cell = `(${round}, ${arm})`;
      ensure(isNear(environment.gap(round, arm), mean - least, mean), `gap${cell} must be ${mean - least}, got ${environment.gap(round, arm)}`);
      // Jensen's inequality.
      ensure(sigma >= Math.abs(mean) * (1 - 1e-9), `sigma() is ${sigma}, below the size of mean${cell}, ${mean}`);
      ensure(regime !== "stochastic" || mean === environment.mean(1, arm), `mean${cell} is not that of round 1, but the regime is stochastic`);
      ensure(
        gaps === undefined || mean - least >= gaps[arm]! - 1e-9 * (1 + Math.abs(mean)),
        `gap${cell} is ${mean - least}, below gaps[${arm}], ${gaps?.[arm]}`,
      );
      ensure(
        gaps?.[arm] !== 0 || gaps.indexOf(0) !== arm || isNear(mean, least, mean),
        `arm ${arm} is not best in round ${round}, but gaps[${arm}] is 0`,
      );
    }
  }
}

/** Asks in two orders, because a table that depends on what was asked before is not the same for every policy. */
function requireSameTable(one: Environment, other: Environment, rounds: number): void {
  const table = Array.from({ length: rounds * one.arms }, (_, i) => one.loss(1 + Math.floor(i / one.arms), i % one.arms));
  for (let i = table.length - 1; i >= 0; i--) {
    const [round, arm] = [1 + Math.floor(i / one.arms), i % one.arms];
    const loss = other.loss(round, arm);
    ensure(
      loss === table[i],
      `loss(${round}, ${arm}) was ${table[i]}, and is ${loss} in an environment of the same spec and seed that is asked backwards`,
    );
  }
}
