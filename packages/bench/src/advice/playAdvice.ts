import { type Advice, advise } from "@tsallis/lab/advice";
import { type Choice, createDistribution, createEnvironment, createPolicy, type Environment, type PolicySpec, stream } from "tsallis";
import type { Kind } from "./kinds.js";
import { rivalsOf } from "./rivals.js";

/** A kind of data set with a seed, from which the recorded losses and the rounds to play follow. */
export interface AdviceTask {
  readonly kind: Kind;
  readonly seed: number;
  readonly rounds: number;
  /** The names of the rivals to play; all if absent. */
  readonly only?: readonly string[];
}

/** A policy, and its regret over the expected regret of uniform play. */
export interface Played {
  readonly spec: PolicySpec;
  readonly share: number;
}

/** What was recommended for one data set, and how it and all others did. */
export interface AdviceRun {
  readonly recommended: Played;
  readonly alternatives: readonly Played[];
  /** The policies for which the data give what they require, by their names. */
  readonly rivals: Readonly<Record<string, Played>>;
}

/** Each arm has between this many recorded losses and as many more. */
const RECORDED = { least: 500, more: 1501 };

/** Draws a data set, takes the advice, and plays it and every rival on the same distributions. The arms rotate with the seed. */
export function playAdvice({ kind, seed, rounds, only }: AdviceTask): AdviceRun {
  const arms = kind.arms.map((_, i) => kind.arms[(i + seed) % kind.arms.length]!);
  const advice = adviceOn({ name: kind.name, arms }, seed);
  const environment = createEnvironment({ environment: "stochastic", alpha: 2, arms }, seed);
  // The same spec is played once.
  const shares = new Map<string, number>();
  const played = (spec: PolicySpec): Played => {
    const id = JSON.stringify(spec);
    const share = shares.get(id) ?? shareOf(spec, environment, seed, rounds);
    shares.set(id, share);
    return { spec, share };
  };
  const { recommendation } = advice;
  const rivals = [...rivalsOf(advice)].filter(([name]) => only === undefined || only.includes(name));
  return {
    recommended: played(recommendation.spec),
    alternatives: recommendation.alternatives.map(({ spec }) => played(spec)),
    rivals: Object.fromEntries(rivals.map(([name, spec]) => [name, played(spec)])),
  };
}

/** The advice on losses drawn from each arm of the kind. */
export function adviceOn({ name, arms }: Kind, seed: number): Advice {
  return advise(
    arms.map((spec, arm) => {
      const rng = stream(seed, "advice", name, arm);
      const distribution = createDistribution(spec);
      const losses = Float64Array.from({ length: RECORDED.least + Math.floor(RECORDED.more * rng.uniform()) }, () => distribution.sample(rng));
      return { name: `arm ${arm}`, losses };
    }),
  );
}

function shareOf(spec: PolicySpec, environment: Environment, seed: number, rounds: number): number {
  const policy = createPolicy(spec, environment.arms);
  const rng = stream(seed, "advice", "policy", spec.policy);
  const gaps = environment.gaps!;
  const choice: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: 0.5 };
  let regret = 0;
  for (let round = 1; round <= rounds; round++) {
    policy.choose(rng, choice);
    policy.update(choice, environment.loss(round, choice.arm));
    regret += gaps[choice.arm]!;
  }
  return regret / (rounds * (gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length));
}
