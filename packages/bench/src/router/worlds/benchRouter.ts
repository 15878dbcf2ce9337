import { print } from "@tsallis/cli/dist/text/output.js";
import { requireCount } from "../../requireCount.js";
import { playWorlds } from "./playWorlds.js";
import { type RouterResult, routerResults } from "./routerResults.js";
import { routerTables } from "./routerTables.js";
import { SCENARIOS } from "./scenarios.js";

export interface RouterSize {
  readonly requests: number;
  readonly seeds: number;
}

const REQUESTS = 20_000;
const MOST_SEEDS = 10_000;

/** Prints how the router does beside the rules that people use. */
export async function benchRouter({ seeds, json }: { seeds: number; json: boolean }, signal: AbortSignal): Promise<void> {
  requireCount("seeds", seeds, MOST_SEEDS);
  const results = await simulated({ requests: REQUESTS, seeds }, signal);
  await print(json ? `${JSON.stringify(results)}\n` : routerTables(results));
}

/** Plays every rule in every scenario, in simulated time, with the seeds 1 to `seeds`. */
export async function simulated({ requests, seeds }: RouterSize, signal: AbortSignal): Promise<RouterResult[]> {
  const tasks = SCENARIOS.flatMap((_, scenario) => Array.from({ length: seeds }, (_, i) => ({ scenario, seed: i + 1, requests })));
  const worlds = await playWorlds(tasks, signal);
  return routerResults(SCENARIOS.map((_, scenario) => worlds.slice(scenario * seeds, (scenario + 1) * seeds)));
}
