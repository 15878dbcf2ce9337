import type { DetailedDistribution, Environment } from "tsallis";

/** The ranges of the losses and of the mean losses of an environment within a horizon. */
export interface Reach {
  /** The ends of all supports; infinite if a distribution does not report its own. */
  readonly losses: readonly [low: number, high: number];
  readonly means: readonly [low: number, high: number];
}

const known = new WeakMap<Environment, Map<number, Reach>>();

/**
 * Looks at every round, because a distribution may change in any, and caches the answer for the environment object. Two cases are shorter: a stochastic
 * environment has one distribution per arm, and a drifting one has mixtures of the distributions of its first and last rounds.
 */
export function reachOf(environment: Environment, horizon: number): Reach {
  let byHorizon = known.get(environment);
  if (byHorizon === undefined) {
    byHorizon = new Map();
    known.set(environment, byHorizon);
  }
  let reach = byHorizon.get(horizon);
  if (reach === undefined) {
    reach = hasDistributions(environment) ? measure(environment, horizon) : UNKNOWN;
    byHorizon.set(horizon, reach);
  }
  return reach;
}

const UNKNOWN: Reach = { losses: [-Infinity, Infinity], means: [-Infinity, Infinity] };

/** An environment of the user's own may have losses and means alone. */
function hasDistributions(environment: Environment): boolean {
  try {
    environment.distribution(1, 0);
    return true;
  } catch {
    return false;
  }
}

function measure(environment: Environment, horizon: number): Reach {
  const name = environment.spec.environment;
  const step = name === "stochastic" ? horizon : name === "drifting" ? Math.max(1, horizon - 1) : 1;
  const losses: [number, number] = [Infinity, -Infinity];
  const means: [number, number] = [Infinity, -Infinity];
  const seen = new Array<unknown>(environment.arms);
  for (let round = 1; round <= horizon; round += step) {
    for (let arm = 0; arm < environment.arms; arm++) {
      const distribution = environment.distribution(round, arm) as Partial<DetailedDistribution>;
      if (distribution === seen[arm]) continue;
      seen[arm] = distribution;
      losses[0] = Math.min(losses[0], distribution.low ?? -Infinity);
      losses[1] = Math.max(losses[1], distribution.high ?? Infinity);
      means[0] = Math.min(means[0], distribution.mean ?? -Infinity);
      means[1] = Math.max(means[1], distribution.mean ?? Infinity);
    }
  }
  return { losses, means };
}
