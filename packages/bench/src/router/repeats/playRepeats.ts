import { LOAD_SCENARIOS } from "../load/loadScenarios.js";
import { createLoadWorld } from "../load/loadWorld.js";
import { SCENARIOS, TIMEOUT_MS } from "../worlds/scenarios.js";
import { createWorld } from "../worlds/world.js";
import { type Backend, loadBackend, worldBackend } from "./backend.js";
import { type Hedged, simulateHedged } from "./simulateHedged.js";
import { simulateRetried } from "./simulateRetried.js";

const BUDGET = 0.05;

/** One scenario with one seed: of hedges a name, of retries a rate of failures. */
export type RepeatsTask = { readonly seed: number; readonly requests: number } & (
  | { readonly hedge: string; readonly isOwn: boolean }
  | { readonly rate: number }
);

export type RepeatsResult = { readonly without: Hedged; readonly with: Hedged } | ReturnType<typeof simulateRetried>;

/** Plays the router with and without hedges on the same world, or with retries. */
export function playRepeats(task: RepeatsTask): RepeatsResult {
  const { seed, requests } = task;
  if ("rate" in task) return simulateRetried(task.rate, seed, requests);
  return { without: simulateHedged(backendOf(task), seed, null), with: simulateHedged(backendOf(task), seed, BUDGET) };
}

function backendOf({ hedge: name, isOwn, seed, requests }: Extract<RepeatsTask, { hedge: string }>): Backend {
  const world = SCENARIOS.find((each) => each.name === name);
  if (world !== undefined) return worldBackend(createWorld(world, seed, requests), TIMEOUT_MS);
  return loadBackend(createLoadWorld(LOAD_SCENARIOS.find((each) => each.name === name)!, seed, requests), isOwn);
}
