import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { type Choice, createPolicy, type PolicySpec, stream, TsallisError } from "tsallis";
import { type Entrant, entrantOf } from "./entrant.js";
import { viewed } from "./view.js";
import { createWorld } from "./world.js";

/** A policy, to be played in `worlds` worlds from `first` on. */
export interface FuzzTask {
  readonly policy: PolicySpec;
  readonly first: number;
  readonly worlds: number;
  readonly rounds: number;
}

/** The outcome of one world. */
export interface FuzzRun {
  readonly world: number;
  /** The regret divided by the expected regret of uniform play. */
  readonly share: number;
  /** More than half of the last fifth of the rounds went to arms worse than the best. */
  readonly stuck: boolean;
}

export const ROUNDS = 20_000;

/** Plays one world after the other, with immediate feedback. */
export function playFuzz({ policy, first, worlds, rounds }: FuzzTask): FuzzRun[] {
  const entrant = entrantOf(policy);
  return Array.from({ length: worlds }, (_, i) => {
    try {
      return played(entrant, first + i, rounds);
    } catch (error) {
      if (error instanceof TsallisError) throw new Failure(error.code, `${error.message} (${policy.policy} in world ${first + i})`);
      throw error;
    }
  });
}

function played(entrant: Entrant, world: number, rounds: number): FuzzRun {
  const environment = viewed(createWorld(world), entrant.view);
  const policy = createPolicy(entrant.spec(environment, rounds), environment.arms);
  const rng = stream(world, "fuzz", "policy", policy.spec.policy);
  const gaps = environment.gaps!;
  const choice: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: 0.5 };
  const last = Math.floor(rounds / 5);
  let regret = 0;
  let worse = 0;
  for (let round = 1; round <= rounds; round++) {
    policy.choose(rng, choice);
    policy.update(choice, environment.loss(round, choice.arm));
    const gap = gaps[choice.arm]!;
    regret += gap;
    if (gap > 0 && round > rounds - last) worse++;
  }
  const uniform = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return { world, share: regret / (rounds * uniform), stuck: worse > last / 2 };
}
