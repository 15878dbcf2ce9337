import { inThreads } from "../../inThreads.js";
import type { WorldResult, WorldTask } from "./playWorld.js";
import { type RouterResult, routerResults } from "./routerResults.js";
import type { Scenario } from "./scenarios.js";

export interface RouterSize {
  readonly requests: number;
  readonly seeds: number;
}

/** Plays every rule in some of SCENARIOS, in simulated time, with the seeds 1 to `seeds`. */
export async function benchWorlds(scenarios: readonly Scenario[], { requests, seeds }: RouterSize, signal: AbortSignal): Promise<RouterResult[]> {
  const tasks = scenarios.flatMap(({ name }) => Array.from({ length: seeds }, (_, i): WorldTask => ({ scenario: name, seed: i + 1, requests })));
  const worlds = await inThreads<WorldTask, WorldResult>(new URL("./worldThread.js", import.meta.url), "rules in simulated time", tasks, signal);
  return routerResults(
    scenarios,
    scenarios.map((_, s) => worlds.slice(s * seeds, (s + 1) * seeds)),
  );
}
