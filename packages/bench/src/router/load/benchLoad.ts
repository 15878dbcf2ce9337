import { inThreads } from "../../inThreads.js";
import type { RouterSize } from "../worlds/benchWorlds.js";
import { type LoadResult, loadResults } from "./loadResults.js";
import type { LoadScenario } from "./loadScenarios.js";
import type { LoadTask, LoadWorldResult } from "./playLoad.js";

/** Plays the rules in some of LOAD_SCENARIOS, with the seeds 1 to `seeds`. */
export async function benchLoad(scenarios: readonly LoadScenario[], { requests, seeds }: RouterSize, signal: AbortSignal): Promise<LoadResult[]> {
  const tasks = scenarios.flatMap(({ name }) => Array.from({ length: seeds }, (_, i): LoadTask => ({ scenario: name, seed: i + 1, requests })));
  const worlds = await inThreads<LoadTask, LoadWorldResult>(new URL("./loadThread.js", import.meta.url), "rules under load", tasks, signal);
  return loadResults(
    scenarios,
    scenarios.map((_, s) => worlds.slice(s * seeds, (s + 1) * seeds)),
  );
}
