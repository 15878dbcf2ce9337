import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { isStuck, lastFifth } from "@tsallis/lab";
import { type Choice, createPolicy, type Environment, type PolicySpec, stream, TsallisError } from "tsallis";
import { type Entrant, entrantOf } from "./entrant.js";
import { createWorld, type Kind } from "./kinds.js";

/** A policy, to be played in `worlds` worlds of a kind from `first` on. */
export interface FuzzTask {
  readonly kind: Kind;
  readonly policy: PolicySpec;
  readonly first: number;
  readonly worlds: number;
  readonly rounds: number;
}

/** The outcome of one world. */
export interface FuzzRun {
  readonly world: number;
  /** The part of its kind that the world belongs to, if there are any. */
  readonly part?: string;
  /** The regret against the best arm of each round, divided by the expected regret of uniform play. */
  readonly share: number;
  readonly stuck: boolean;
}

/** Plays one world after the other, with immediate feedback. */
export function playFuzz({ kind, policy, first, worlds, rounds }: FuzzTask): FuzzRun[] {
  const entrant = entrantOf(policy, kind);
  return Array.from({ length: worlds }, (_, i) => {
    try {
      return played(entrant, kind, first + i, rounds);
    } catch (error) {
      if (error instanceof TsallisError) throw new Failure(error.code, `${error.message} (${policy.policy} in world ${first + i})`);
      throw error;
    }
  });
}

function played(entrant: Entrant, kind: Kind, number: number, rounds: number): FuzzRun {
  const { environment, ...part } = createWorld(kind, number, entrant.view);
  const policy = createPolicy(entrant.spec(environment, rounds), environment.arms);
  // The worlds of values came first, and keep their streams.
  const rng = stream(number, "fuzz", ...(kind === "values" ? [] : [kind]), "policy", policy.spec.policy);
  const choice: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: 0.5 };
  const { from } = lastFifth(rounds);
  const total = { played: 0, uniform: 0 };
  const late = { played: 0, uniform: 0 };
  const gaps = new Float64Array(environment.arms);
  let uniform = 0;
  for (let round = 1; round <= rounds; round++) {
    policy.choose(rng, choice);
    policy.update(choice, environment.loss(round, choice.arm));
    if (round === 1 || environment.regime !== "stochastic") uniform = meanGap(environment, round, gaps);
    const gap = gaps[choice.arm]!;
    total.played += gap;
    total.uniform += uniform;
    if (round <= from) continue;
    late.played += gap;
    late.uniform += uniform;
  }
  return { world: number, ...part, share: total.played / total.uniform, stuck: isStuck(late.played, late.uniform) };
}

/** The expected regret of uniform play in a round; the gap of every arm goes into `gaps`. */
function meanGap(environment: Environment, round: number, gaps: Float64Array): number {
  for (let arm = 0; arm < gaps.length; arm++) gaps[arm] = environment.mean(round, arm);
  const least = gaps.reduce((a, b) => Math.min(a, b));
  let sum = 0;
  for (let arm = 0; arm < gaps.length; arm++) {
    gaps[arm]! -= least;
    sum += gaps[arm]!;
  }
  return sum / gaps.length;
}
