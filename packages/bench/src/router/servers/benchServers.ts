import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { print } from "@tsallis/cli/dist/text/output.js";
import { Progress } from "../../progress.js";
import { benchReplicas, type ReplicaSize } from "./benchReplicas.js";
import { type DispatcherSize, dispatcherCosts } from "./dispatcherCosts.js";
import { playServers, type ServerResult } from "./playServers.js";
import { SERVER_SCENARIOS, SPEED } from "./serverScenarios.js";
import { serverTables } from "./serverTables.js";

const REQUESTS = 8_000;
const SEED = 1;
const REPLICAS: ReplicaSize = { requests: 4_000, repetitions: 5 };
const OVERHEAD: DispatcherSize = { requests: 5_000, pairs: 31 };

const PARTS = ["scenarios", "replicas", "costs"];

/** Prints how the router's dispatcher does beside undici's BalancedPool, on real servers; only some of PARTS if that is given. */
export async function benchServers(
  { only = PARTS, json }: { only: readonly string[] | undefined; json: boolean },
  signal: AbortSignal,
): Promise<void> {
  const unknown = only.find((name) => !PARTS.includes(name));
  if (unknown !== undefined)
    throw new Failure("ERR_PARAMETER", `only must be parts of --servers (${PARTS.join(", ")}), got ${JSON.stringify(unknown)}`, "--only");
  const servers = only.includes("scenarios") ? await served(REQUESTS, signal) : [];
  const replicas = only.includes("replicas") ? await benchReplicas(REPLICAS, signal) : [];
  const overhead = only.includes("costs") ? await dispatcherCosts(OVERHEAD, signal) : [];
  const measured = { servers, replicas, overhead };
  await print(json ? `${JSON.stringify(measured)}\n` : serverTables(measured));
}

/** Plays every scenario, one after the other. A short run comes first and does not count, so that the engine does not compile during the first scenario. */
export async function served(requests: number, signal: AbortSignal): Promise<ServerResult[]> {
  const progress = new Progress("real servers", SERVER_SCENARIOS.length);
  const results: ServerResult[] = [];
  try {
    await playServers(SERVER_SCENARIOS[0]!, { requests: Math.ceil(requests / 10), seed: SEED + 1, speed: SPEED }, signal);
    for (const scenario of SERVER_SCENARIOS) {
      results.push(...(await playServers(scenario, { requests, seed: SEED, speed: SPEED }, signal)));
      progress.step();
    }
  } finally {
    progress.stop();
  }
  return results;
}
