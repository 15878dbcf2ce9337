import { LOAD_SCENARIOS } from "../load/loadScenarios.js";
import { createLoadWorld, type LoadWorld } from "../load/loadWorld.js";
import { OURS } from "../rules/rules.js";
import { TIMEOUT_MS } from "../worlds/scenarios.js";
import { BALANCED_POOL, balancedPool, type Client, type ClientContext, routerClient } from "./clients.js";
import { openLoop } from "./openLoop.js";
import { type ServerFigures, serverFigures } from "./serverFigures.js";
import { startServers } from "./startServers.js";

/** The simulated scenario that is played on real sockets: four equal replicas of eight workers each. */
const REPLICAS = LOAD_SCENARIOS.find(({ name }) => name === "first-come-60")!;
/** How many milliseconds of the scenario pass in one real millisecond: work takes 40 ms, and 480 requests come per second. Two busy cores do not keep up with 960. */
const SPEED = 0.5;

/** A dispatcher on the equal replicas with one seed, as measured. */
export interface ReplicaResult extends ServerFigures {
  readonly seed: number;
  readonly rule: string;
}

/**
 * Sends the requests of REPLICAS to real servers through BalancedPool and through our dispatcher, both new. They play one after the other, each on servers of its
 * own, since a queue of the one would delay the other; even seeds let ours be first. A request means the same work at every upstream, whoever sends it.
 */
export async function playReplicas(seed: number, requests: number, signal: AbortSignal): Promise<ReplicaResult[]> {
  const world = createLoadWorld(REPLICAS, seed, requests);
  const upstreams = world.upstreams.length;
  const delays = world.works.map((work) => work / SPEED);
  const times = sendingTimes(world).map((time) => time / SPEED);
  const play = async (rule: string, createClient: (context: ClientContext) => Client): Promise<ReplicaResult> => {
    const servers = await startServers({ upstreams, delays, workers: world.upstreams[0]!.cores }, signal);
    const client = createClient({ urls: servers.urls, timeout: TIMEOUT_MS / SPEED });
    try {
      return { seed, rule, ...serverFigures(await openLoop(times, client.send, signal), upstreams) };
    } finally {
      await client.close();
      await servers.stop();
    }
  };
  const theirs = () => play(BALANCED_POOL, balancedPool);
  const ours = () => play(OURS, (context) => routerClient(context, seed));
  if (seed % 2 === 1) return [await theirs(), await ours()];
  const result = await ours();
  return [await theirs(), result];
}

function sendingTimes({ requests, traffic }: LoadWorld): Float64Array {
  const coming = traffic();
  return Float64Array.from({ length: requests }, () => {
    const { next } = coming;
    coming.sent();
    return next;
  });
}
