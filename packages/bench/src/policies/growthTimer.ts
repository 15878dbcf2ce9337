import { createPolicy, type PolicySpec, stream } from "tsallis";
import { quantile } from "tsallis/statistics";
import { play } from "./roundTimer.js";

/** One policy, to be timed as it grows old. */
export interface GrowthTask {
  readonly kind: "growth";
  readonly spec: PolicySpec;
  readonly arms: number;
  /** Increasing. */
  readonly ages: readonly number[];
}

export interface Growth {
  readonly kernel: string | null;
  /** Nanoseconds per round over the second half of the rounds up to each age: the median of several policies. */
  readonly times: readonly number[];
}

/**
 * How many policies are played in turn. Only the last of them reaches the last age: the extra ones are for the young ages, whose rounds are over in a
 * millisecond.
 */
const POLICIES = 5;

export function timeGrowth({ spec, arms, ages }: GrowthTask): Growth {
  const times = ages.map((): number[] => []);
  let kernel: string | null = null;
  for (let i = 1; i <= POLICIES; i++) {
    const rng = stream(1, "bench", "growth", i);
    const policy = createPolicy(spec, arms);
    const choice = policy.choose(rng);
    for (const [j, age] of (i < POLICIES ? ages.slice(0, -1) : ages).entries()) {
      play(policy, rng, choice, Math.floor(age / 2) - policy.round);
      times[j]!.push(play(policy, rng, choice, age - policy.round));
    }
    kernel = policy.snapshot().kernel?.name ?? null;
  }
  return { kernel, times: times.map((each) => quantile(each, 0.5)) };
}
