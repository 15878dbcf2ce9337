import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { quantile } from "tsallis/statistics";
import { Progress } from "../../progress.js";
import type { DispatcherTask, DispatcherTurn, Way } from "./dispatcherThread.js";
import { startServers } from "./startServers.js";

/** How much work is measured: the number of pairs of turns, and of requests in each turn. */
export interface DispatcherSize {
  readonly requests: number;
  readonly pairs: number;
}

/** What a request costs through BalancedPool and through our dispatcher, in microseconds of processor time, the medians of the turns. */
export interface DispatcherCost extends Way {
  readonly balancedPool: number;
  readonly ours: number;
  /** The median of our cost divided by BalancedPool's in the turn beside it: other work on the machine comes and goes, and affects both. */
  readonly ratio: number;
}

const WAYS: readonly Way[] = [
  { door: "request", inFlight: 50 },
  { door: "fetch", inFlight: 50 },
  { door: "request", inFlight: 200 },
];
const UPSTREAMS = 3;
/** The pairs that do not count, before those that do, as a share of the latter. */
const WARM_UP = 0.1;

/**
 * Measures the processor time of requests to servers that answer at once: BalancedPool and our dispatcher in alternating turns, each in its own thread. Processor
 * time is what a dispatcher takes from the program around it. Requests per second would also depend on the servers and on the rest of the machine.
 */
export async function dispatcherCosts({ requests, pairs }: DispatcherSize, signal: AbortSignal): Promise<DispatcherCost[]> {
  const servers = await startServers({ upstreams: UPSTREAMS, delays: null, workers: Infinity }, signal);
  const threads = [false, true].map((ours) => {
    const workerData: DispatcherTask = { urls: servers.urls, ours };
    return new Worker(new URL("./dispatcherThread.js", import.meta.url), { workerData });
  }) as [Worker, Worker];
  const before = Math.ceil(WARM_UP * pairs);
  const progress = new Progress("processor time per request", WAYS.length * (before + pairs));
  const costs: DispatcherCost[] = [];
  try {
    for (const way of WAYS) {
      const measured: (readonly [number, number])[] = [];
      for (let pair = -before; pair < pairs; pair++) {
        const both = await playPair(threads, { requests, ...way }, pair % 2 === 0, signal);
        if (pair >= 0) measured.push(both);
        progress.step();
      }
      const median = (figure: (both: readonly [number, number]) => number) => quantile(measured.map(figure), 0.5);
      costs.push({
        ...way,
        balancedPool: median(([theirs]) => theirs),
        ours: median(([, ours]) => ours),
        ratio: median(([theirs, ours]) => ours / theirs),
      });
    }
  } finally {
    progress.stop();
    await Promise.all(threads.map((thread) => thread.terminate()));
    await servers.stop();
  }
  return costs;
}

/** Plays one turn of each, and returns what a request cost; which one is first alternates. */
async function playPair(
  [theirs, ours]: [Worker, Worker],
  turn: DispatcherTurn,
  oursFirst: boolean,
  signal: AbortSignal,
): Promise<readonly [number, number]> {
  const play = async (thread: Worker) => {
    thread.postMessage(turn);
    const [cost] = (await once(thread, "message", { signal })) as [number];
    return cost;
  };
  if (!oursFirst) return [await play(theirs), await play(ours)];
  const cost = await play(ours);
  return [await play(theirs), cost];
}
