import { fork } from "node:child_process";
import { once } from "node:events";
import { quantile } from "tsallis/statistics";
import { openLoop } from "../servers/openLoop.js";
import { SOCKET_CLIENTS, type SocketClient } from "./socketClients.js";
import type { SocketTask } from "./socketProcess.js";
import { PATIENCE_MS, SOCKET_TIMEOUT_MS, type SocketScenario } from "./socketScenarios.js";
import { createSocketWorld, type SocketWorld } from "./socketWorld.js";

/** A rule in one run of a scenario. Times are milliseconds. */
export interface SocketResult {
  readonly scenario: string;
  readonly rule: string;
  readonly seed: number;
  readonly requests: number;
  /** A failure counts as SOCKET_TIMEOUT_MS. */
  readonly mean: number;
  readonly p99: number;
  readonly failures: number;
  /** The 99th percentile of how late requests were sent. If it is far above 1, the machine was too busy for the other figures to mean anything. */
  readonly late: number;
}

/** Plays a scenario once with all rules at the same time, each with clients of its own, so that other work on the machine affects all of them. */
export async function playSockets(scenario: SocketScenario, seed: number, signal: AbortSignal): Promise<SocketResult[]> {
  const world = createSocketWorld(scenario, seed);
  const rules = Object.entries(SOCKET_CLIENTS);
  const servers = await startServers({ scenario: scenario.name, seed, sets: scenario.own ? rules.length : 1 }, signal);
  const played = rules.map(([rule, createClient], i) => {
    const urls = servers.urls[scenario.own ? i : 0]!;
    const clients = Array.from({ length: scenario.clients ?? 1 }, (_, each) =>
      createClient({ urls, seed: 1000 * seed + each, named: scenario.named ?? false }),
    );
    return { rule, clients };
  });
  try {
    servers.go();
    return await Promise.all(played.map(({ rule, clients }) => playRule(scenario, world, rule, clients, seed, signal)));
  } finally {
    await Promise.all(played.flatMap(({ clients }) => clients.map((client) => client.close())));
    await servers.stop();
  }
}

async function playRule(
  { name, countedFrom = 0 }: SocketScenario,
  world: SocketWorld,
  rule: string,
  clients: readonly SocketClient[],
  seed: number,
  signal: AbortSignal,
): Promise<SocketResult> {
  async function send(request: number): Promise<number> {
    const path = `${world.isSlow(request) ? "/slow" : ""}/${request}`;
    const patience = world.isImpatient(request) ? AbortSignal.timeout(PATIENCE_MS) : null;
    try {
      await clients[world.client(request)]!.send(request, path, patience);
    } catch (error) {
      // Who gives up has not met a failure, and counts as the time until then.
      if (patience?.aborted !== true) throw error;
    }
    return 0;
  }
  const { latencies, late, upstreams } = await openLoop(world.times, send, signal);
  const costs = [...latencies].map((latency, request) => (upstreams[request] === -1 ? SOCKET_TIMEOUT_MS : latency)).slice(countedFrom);
  return {
    scenario: name,
    rule,
    seed,
    requests: costs.length,
    mean: costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
    p99: quantile(costs, 0.99),
    failures: upstreams.slice(countedFrom).filter((upstream) => upstream === -1).length,
    late: quantile([...late], 0.99),
  };
}

/** Starts the servers of a scenario in a separate process, on free ports of the loopback interface. */
async function startServers(task: SocketTask, signal: AbortSignal) {
  const child = fork(new URL("./socketProcess.js", import.meta.url));
  const exit = once(child, "exit");
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exit;
  };
  try {
    child.send(task);
    const ended = exit.then(() => Promise.reject(new Error("the process of the servers ended before it was ready")));
    const [urls] = (await Promise.race([once(child, "message", { signal }), ended])) as [string[][]];
    return { urls, go: () => child.send("go"), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
