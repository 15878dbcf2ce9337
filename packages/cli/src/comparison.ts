import { setImmediate } from "node:timers/promises";
import { type Choice, createEnvironment, createPolicy, type Environment, type EnvironmentSpec, isSkipped, type PolicySpec, stream } from "tsallis";

/** What one policy did in one environment: its pseudo-regret for each seed, and the share of all rounds whose loss it skipped. */
export interface Outcome {
  readonly pseudoRegrets: readonly number[];
  readonly skipRate: number;
}

/**
 * Plays a policy in an environment, once per seed. The pseudo-regret is taken from the true means, against the best fixed arm in
 * hindsight: with infinite variance the losses that happened would say little. Every policy meets the same losses in the same cells.
 */
export async function compare(
  world: EnvironmentSpec,
  spec: PolicySpec,
  horizon: number,
  seeds: number,
  signal: AbortSignal,
  step: () => void,
): Promise<Outcome> {
  const pseudoRegrets: number[] = [];
  let skips = 0;
  const least = leastMean(createEnvironment(world, 1), horizon);
  for (let seed = 1; seed <= seeds; seed++) {
    const run = play(createEnvironment(world, seed), spec, horizon, seed);
    pseudoRegrets.push(run.mean - least);
    skips += run.skips;
    step();
    await setImmediate(undefined, { signal });
  }
  return { pseudoRegrets, skipRate: skips / (seeds * horizon) };
}

/** The sum of the means that the best fixed arm has over all rounds; means do not depend on the seed. */
function leastMean(environment: Environment, horizon: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let arm = 0; arm < environment.arms; arm++) {
    let sum = 0;
    for (let round = 1; round <= horizon; round++) sum += environment.mean(round, arm);
    least = Math.min(least, sum);
  }
  return least;
}

function play(environment: Environment, spec: PolicySpec, horizon: number, seed: number): { mean: number; skips: number } {
  const policy = createPolicy(spec, environment.arms);
  const rng = stream(seed, "policy", spec.policy);
  let choice: Choice | undefined;
  let mean = 0;
  let skips = 0;
  for (let round = 1; round <= horizon; round++) {
    choice = policy.choose(rng, choice);
    const loss = environment.loss(round, choice.arm);
    mean += environment.mean(round, choice.arm);
    if (isSkipped(choice, loss)) skips++;
    policy.update(choice, loss);
  }
  return { mean, skips };
}
