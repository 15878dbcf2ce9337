import { OURS } from "../rules/rules.js";
import { BEST } from "../worlds/routerResults.js";
import { type Scenario, TIMEOUT_MS } from "../worlds/scenarios.js";
import { createWorld } from "../worlds/world.js";
import { BALANCED_POOL, balancedPool, bestClient, routerClient } from "./clients.js";
import { openLoop } from "./openLoop.js";
import { type ServerFigures, serverFigures } from "./serverFigures.js";
import { startServers } from "./startServers.js";

export interface ServerSize {
  readonly requests: number;
  readonly seed: number;
  /** How many milliseconds of the scenario pass in one real millisecond. */
  readonly speed: number;
}

/** A dispatcher in a scenario, as measured. */
export interface ServerResult extends ServerFigures {
  readonly scenario: string;
  readonly rule: string;
  /** The share of the possible gain over BalancedPool: 1 is the best upstream at every moment. */
  readonly share: number;
}

/**
 * Sends the requests of a scenario to real servers, through BalancedPool, our dispatcher and the yardstick at the same time, so that other work on the
 * machine affects all three. The same request takes the same time at the same upstream, whoever sends it there.
 */
export async function playServers(scenario: Scenario, { requests, seed, speed }: ServerSize, signal: AbortSignal): Promise<ServerResult[]> {
  const world = createWorld(scenario, seed, requests);
  const { upstreams } = world;
  const delays = world.latencies.map((latency) => (latency > TIMEOUT_MS ? Infinity : latency / speed));
  const times = world.times.map((time) => time / speed);
  const servers = await startServers({ upstreams, delays, workers: Infinity }, signal);
  const context = { urls: servers.urls, timeout: TIMEOUT_MS / speed };
  const clients = { [BALANCED_POOL]: balancedPool(context), [OURS]: routerClient(context, seed), [BEST]: bestClient(context, world) };
  try {
    const played = await Promise.all(
      Object.entries(clients).map(async ([rule, { send }]) => {
        return { scenario: scenario.name, rule, ...serverFigures(await openLoop(times, send, signal), upstreams) };
      }),
    );
    const [balanced, , best] = played.map(({ mean }) => mean) as [number, number, number];
    return played.map((result) => ({ ...result, share: (balanced - result.mean) / (balanced - best) }));
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.close()));
    await servers.stop();
  }
}
