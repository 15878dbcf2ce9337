import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Progress } from "../../progress.js";
import { quantile } from "../../quantile.js";
import type { DispatcherTask, DispatcherTiming, DispatcherTurn, Door } from "./dispatcherThread.js";
import { startServers } from "./startServers.js";

/** How much work is timed: the number of turns, and of requests in each. */
export interface DispatcherSize {
  readonly requests: number;
  readonly turns: number;
}

/** BalancedPool and our dispatcher through one door. */
export interface DispatcherRates {
  readonly door: Door;
  /** Requests per second, the medians of the turns. */
  readonly balancedPool: number;
  readonly ours: number;
  /** The median of our rate divided by BalancedPool's in the turn beside it: other work on the machine comes and goes, and affects both. */
  readonly ratio: number;
  /** The same ratio for the processor time per request. */
  readonly processorRatio: number;
}

const DOORS: readonly Door[] = ["request", "fetch"];
const UPSTREAMS = 3;
/** The turns that do not count, before those that do, as a share of the latter. */
const WARM_UP = 0.1;

/** Measures requests per second to servers that answer at once: BalancedPool and our dispatcher in many short alternating turns, each in its own thread. */
export async function dispatcherRates({ requests, turns }: DispatcherSize, signal: AbortSignal): Promise<DispatcherRates[]> {
  const servers = await startServers({ upstreams: UPSTREAMS, delays: null }, signal);
  const threads = [false, true].map((ours) => {
    const workerData: DispatcherTask = { urls: servers.urls, ours };
    return new Worker(new URL("./dispatcherThread.js", import.meta.url), { workerData });
  }) as [Worker, Worker];
  const before = Math.ceil(WARM_UP * turns);
  const progress = new Progress("requests per second", DOORS.length * (before + turns));
  const rates: DispatcherRates[] = [];
  try {
    for (const door of DOORS) {
      const pairs: (readonly [DispatcherTiming, DispatcherTiming])[] = [];
      for (let turn = -before; turn < turns; turn++) {
        const pair = await timed(threads, { requests, door }, turn % 2 === 0, signal);
        if (turn >= 0) pairs.push(pair);
        progress.step();
      }
      rates.push({
        door,
        balancedPool: median(pairs.map(([theirs]) => theirs.requestsPerSecond)),
        ours: median(pairs.map(([, ours]) => ours.requestsPerSecond)),
        ratio: median(pairs.map(([theirs, ours]) => ours.requestsPerSecond / theirs.requestsPerSecond)),
        processorRatio: median(pairs.map(([theirs, ours]) => ours.processor / theirs.processor)),
      });
    }
  } finally {
    progress.stop();
    await Promise.all(threads.map((thread) => thread.terminate()));
    await servers.stop();
  }
  return rates;
}

/** Times one turn of each; which one is first alternates. */
async function timed(
  [theirs, ours]: [Worker, Worker],
  turn: DispatcherTurn,
  oursFirst: boolean,
  signal: AbortSignal,
): Promise<readonly [DispatcherTiming, DispatcherTiming]> {
  const play = async (thread: Worker) => {
    thread.postMessage(turn);
    const [timing] = (await once(thread, "message", { signal })) as [DispatcherTiming];
    return timing;
  };
  if (!oursFirst) return [await play(theirs), await play(ours)];
  const timing = await play(ours);
  return [await play(theirs), timing];
}

function median(values: number[]): number {
  return quantile(values, 0.5);
}
