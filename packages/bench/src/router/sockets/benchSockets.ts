import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { print } from "@tsallis/cli/dist/text/output.js";
import { Progress } from "../../progress.js";
import { requireCount } from "../../requireCount.js";
import { playSockets, type SocketResult } from "./playSockets.js";
import { SOCKET_SCENARIOS } from "./socketScenarios.js";
import { socketTables } from "./socketTables.js";

const RUNS = 5;
const MOST_RUNS = 100;
/** Runs that are played at the same time: about 900 requests per second in all. */
const AT_ONCE = 4;

export interface SocketChoice {
  /** The number of runs of each scenario. */
  readonly seeds: number | undefined;
  /** The names of the scenarios to play; all without it. */
  readonly only: readonly string[] | undefined;
  readonly json: boolean;
}

/** Prints how the router's dispatcher does next to simple rules, on real sockets. */
export async function benchSockets({ seeds = RUNS, only, json }: SocketChoice, signal: AbortSignal): Promise<void> {
  requireCount("seeds", seeds, MOST_RUNS);
  const names = SOCKET_SCENARIOS.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Failure("ERR_PARAMETER", `only must be names of scenarios (${names.join(", ")}), got ${JSON.stringify(unknown)}`, "--only");
  const scenarios = SOCKET_SCENARIOS.filter(({ name }) => only === undefined || only.includes(name));
  const results = await playedSockets(scenarios, seeds, signal);
  await print(json ? `${JSON.stringify({ sockets: results })}\n` : socketTables(results));
}

/** Plays every scenario with the seeds 1 to `seeds`, some runs at the same time. */
export async function playedSockets(scenarios: typeof SOCKET_SCENARIOS, seeds: number, signal: AbortSignal): Promise<SocketResult[]> {
  const runs = Array.from({ length: seeds }, (_, i) => scenarios.map((scenario) => ({ scenario, seed: i + 1 }))).flat();
  const progress = new Progress("real sockets", runs.length);
  const results: SocketResult[] = [];
  const waiting = runs.values();
  async function work(): Promise<void> {
    for (const { scenario, seed } of waiting) {
      results.push(...(await playSockets(scenario, seed, signal)));
      progress.step();
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    progress.stop();
  }
  return results;
}
