import { quantile } from "../../quantile.js";
import { OURS } from "../rules/rules.js";
import { BEST } from "../worlds/routerResults.js";
import { type Scenario, TIMEOUT_MS } from "../worlds/scenarios.js";
import { createWorld } from "../worlds/world.js";
import { balancedPool, bestClient, routerClient } from "./clients.js";
import { openLoop } from "./openLoop.js";
import { startServers } from "./startServers.js";

export const BALANCED_POOL = "BalancedPool";

export interface ServerSize {
  readonly requests: number;
  readonly seed: number;
  /** How many milliseconds of the scenario pass in one real millisecond. */
  readonly speed: number;
}

/** A dispatcher in a scenario, as measured. Times are milliseconds on the real clock. */
export interface ServerResult {
  readonly scenario: string;
  readonly rule: string;
  /** A failure counts as the time that it took. */
  readonly mean: number;
  readonly p99: number;
  /** The share of the possible gain over BalancedPool: 1 is the best upstream at every moment. */
  readonly share: number;
  /** How many requests failed. */
  readonly failures: number;
  /** The 99th percentile of how late requests were sent. If it is far above 1, the machine was too busy for the other figures to mean anything. */
  readonly late: number;
  /** How many requests each upstream answered. */
  readonly answers: readonly number[];
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
  const servers = await startServers({ upstreams, delays }, signal);
  const context = { urls: servers.urls, timeout: TIMEOUT_MS / speed };
  const clients = { [BALANCED_POOL]: balancedPool(context), [OURS]: routerClient(context, seed), [BEST]: bestClient(context, world) };
  try {
    const played = await Promise.all(
      Object.entries(clients).map(async ([rule, { send }]) => {
        const outcomes = await openLoop(times, send, signal);
        const latencies = [...outcomes.latencies];
        const answers = Array.from({ length: upstreams }, (_, upstream) => outcomes.upstreams.filter((each) => each === upstream).length);
        const failures = requests - answers.reduce((sum, count) => sum + count, 0);
        const mean = latencies.reduce((sum, latency) => sum + latency, 0) / requests;
        return { scenario: scenario.name, rule, mean, p99: quantile(latencies, 0.99), failures, late: quantile([...outcomes.late], 0.99), answers };
      }),
    );
    const [balanced, , best] = played.map(({ mean }) => mean) as [number, number, number];
    return played.map((result) => ({ ...result, share: (balanced - result.mean) / (balanced - best) }));
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.close()));
    await servers.stop();
  }
}
