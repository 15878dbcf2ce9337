import { stream } from "tsallis";
import { LOAD_RULES } from "../rules/loadRules.js";
import { bestUpstream } from "../worlds/bestUpstream.js";
import { type LoadPlayed, loadPlayed } from "./loadPlayed.js";
import { LOAD_SCENARIOS } from "./loadScenarios.js";
import { createLoadWorld } from "./loadWorld.js";
import { simulateLoad } from "./simulateLoad.js";

/** One scenario with one seed. */
export interface LoadTask {
  /** The name of one of LOAD_SCENARIOS. */
  readonly scenario: string;
  readonly seed: number;
  readonly requests: number;
}

/** The outcome: every rule in the order of LOAD_RULES, and the yardstick, which knows the best upstream of each moment and exists only where load does not matter. */
export interface LoadWorldResult {
  readonly rules: readonly LoadPlayed[];
  readonly best: LoadPlayed | undefined;
}

/** Plays every rule on the same world. */
export function playLoad({ scenario: name, seed, requests }: LoadTask): LoadWorldResult {
  const scenario = LOAD_SCENARIOS.find((each) => each.name === name)!;
  const world = createLoadWorld(scenario, seed, requests);
  const { timeout } = world;
  const upstreams = world.upstreams.length;
  const rules = Object.entries(LOAD_RULES).map(([rule, create]) => {
    const routers = Array.from({ length: scenario.routers }, (_, router) => {
      const rng = stream(seed, "bench router", scenario.name, "rule", rule, router);
      return create({ upstreams, timeout, rng, seed: seed * scenario.routers + router });
    });
    return loadPlayed(world, simulateLoad(world, routers));
  });
  const { means } = world;
  return { rules, best: means && loadPlayed(world, simulateLoad(world, [bestUpstream({ upstreams, means })])) };
}
