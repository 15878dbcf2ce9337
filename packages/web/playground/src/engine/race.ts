import { type LabEnvironmentSpec, type ResolvedRun, resolveRun } from "@tsallis/lab/play";
import type { Environment, PolicySpec } from "tsallis";

/** What is played: some policies in one world, each with the seeds 1 to `seeds`. */
export interface Race {
  readonly world: LabEnvironmentSpec;
  readonly policies: readonly Racer[];
  readonly seeds: number;
  readonly rounds: number;
}

export interface Racer {
  readonly label: string;
  /** `alpha: "promised"` and `sigma: "promised"` stand for what the world promises, as in an experiment. */
  readonly spec: PolicySpec;
}

/** One policy with one seed. */
export interface Lane {
  /** Its place in the list of policies. */
  readonly policy: number;
  readonly seed: number;
}

export const MOST = { policies: 8, seeds: 20, rounds: 1_000_000, arms: 10 } as const;

/** Rounds of a lane that are shown, at most. */
export const CHECKPOINTS = 600;

/** All lanes of a race, seed by seed, so that every policy has begun before any begins its second seed. */
export function lanesOf({ policies, seeds }: Race): Lane[] {
  return Array.from({ length: seeds }, (_, i) => policies.map((_, policy) => ({ policy, seed: i + 1 }))).flat();
}

/** The run of a lane, as the lab resolves it. Throws the library's errors for a race that cannot be. `made` is its world, if that has been created before. */
export function runOf({ world, policies, rounds }: Race, { policy, seed }: Lane, made?: Environment): ResolvedRun {
  const { label, spec } = policies[policy]!;
  const document = { horizon: rounds, environments: { world }, policies: { [label]: spec } };
  return resolveRun(document, { environment: "world", policy: label, seed, sweep: null }, made);
}

const worlds = new WeakMap<Race["world"], Map<string, Environment>>();

/** The world of a race as a seed sees it. A table of losses takes long to check, so a world is created once. */
export function worldOf({ world, rounds }: Pick<Race, "world" | "rounds">, seed = 1): Environment {
  const known = worlds.get(world) ?? new Map<string, Environment>();
  worlds.set(world, known);
  // Recorded losses are the same for every seed.
  const key = `${rounds} ${world.environment === "replay" ? 1 : seed}`;
  let environment = known.get(key);
  if (environment === undefined) {
    const anyone = { world, policies: [{ label: "any", spec: { policy: "uniform" } }], seeds: 1, rounds };
    environment = runOf(anyone, { policy: 0, seed }).environment;
    known.set(key, environment);
  }
  return environment;
}

const keys = new WeakMap<Race, string>();

/** Equal for equal races. A race with a table of losses is long, so it is written once and not in every frame. */
export function keyOf(race: Race): string {
  const key = keys.get(race) ?? JSON.stringify(race);
  keys.set(race, key);
  return key;
}
