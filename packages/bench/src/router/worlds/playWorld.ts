import { stream } from "tsallis";
import { RULES } from "../rules/rules.js";
import { bestUpstream } from "./bestUpstream.js";
import { SCENARIOS, TIMEOUT_MS } from "./scenarios.js";
import { type Played, simulate } from "./simulate.js";
import { createWorld } from "./world.js";

/** One scenario with one seed. */
export interface WorldTask {
  /** The name of one of SCENARIOS. */
  readonly scenario: string;
  readonly seed: number;
  readonly requests: number;
}

/** The outcome: the yardstick, and every rule in the order of RULES. */
export interface WorldResult {
  readonly best: Played;
  readonly rules: readonly Played[];
}

/** Plays every rule on the same world. */
export function playWorld({ scenario: name, seed, requests }: WorldTask): WorldResult {
  const scenario = SCENARIOS.find((each) => each.name === name)!;
  const world = createWorld(scenario, seed, requests);
  const rules = Object.entries(RULES).map(([rule, create]) => {
    const rng = stream(seed, "bench router", scenario.name, "rule", rule);
    return simulate(world, create({ upstreams: world.upstreams, timeout: TIMEOUT_MS, rng, seed, ping: world.ping }));
  });
  return { best: simulate(world, bestUpstream(world)), rules };
}
