import { ROUND_ROBIN, RULES } from "../rules/rules.js";
import { type MeanInterval, meanInterval } from "./meanInterval.js";
import type { WorldResult } from "./playWorld.js";
import type { Scenario } from "./scenarios.js";
import type { Played } from "./simulate.js";

/** The yardstick's name among the rules: it knows the best upstream of each moment. */
export const BEST = "best upstream";

/** A rule in a scenario, over all seeds. Times are in milliseconds. */
export interface RouterResult {
  readonly scenario: string;
  readonly rule: string;
  readonly mean: MeanInterval;
  readonly p99: MeanInterval;
  /** The share of the possible gain over round robin, per seed: 0 is round robin, 1 is the best upstream of each moment. */
  readonly share: MeanInterval;
}

/** Sums up the worlds of each scenario, one per seed. */
export function routerResults(scenarios: readonly Scenario[], worlds: readonly (readonly WorldResult[])[]): RouterResult[] {
  const names = Object.keys(RULES);
  const reference = names.indexOf(ROUND_ROBIN);
  return scenarios.flatMap(({ name: scenario }, s) => {
    const summary = (rule: string, played: (world: WorldResult) => Played): RouterResult => ({
      scenario,
      rule,
      mean: meanInterval(worlds[s]!.map((world) => played(world).mean)),
      p99: meanInterval(worlds[s]!.map((world) => played(world).p99)),
      share: meanInterval(
        worlds[s]!.map((world) => (world.rules[reference]!.mean - played(world).mean) / (world.rules[reference]!.mean - world.best.mean)),
      ),
    });
    return [...names.map((rule, r) => summary(rule, (world) => world.rules[r]!)), summary(BEST, (world) => world.best)];
  });
}
