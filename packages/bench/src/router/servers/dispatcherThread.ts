// A separate thread for each dispatcher, so that neither makes the engine compile undici less well for the other.
import { parentPort, workerData } from "node:worker_threads";
import { createRouter } from "@tsallis/router";
import { BalancedPool, fetch } from "undici";
import { processorTime } from "../../processorTime.js";

export interface DispatcherTask {
  readonly urls: readonly string[];
  readonly ours: boolean;
}

/** How a request is sent: by the dispatcher itself, or by undici's fetch on it. */
export type Door = "request" | "fetch";

export interface DispatcherTurn {
  readonly requests: number;
  readonly door: Door;
}

/** The speed and the cost of some requests. */
export interface DispatcherTiming {
  readonly requestsPerSecond: number;
  /** Processor time of this process in microseconds per request. */
  readonly processor: number;
}

/** The number of clients, each of which sends its next request when it has its answer. */
const CLIENTS = 50;

const { urls, ours } = workerData as DispatcherTask;
const dispatcher = ours ? createRouter({ upstreams: urls, seed: 1 }).dispatcher() : new BalancedPool([...urls]);

const SEND: Readonly<Record<Door, () => Promise<unknown>>> = {
  async request() {
    const { body } = await dispatcher.request({ origin: "http://upstream", path: "/0", method: "GET" });
    await body.dump();
  },
  async fetch() {
    const response = await fetch("http://upstream/0", { dispatcher });
    await response.text();
  },
};

parentPort!.on("message", async ({ requests, door }: DispatcherTurn) => {
  let left = requests;
  const client = async () => {
    while (left-- > 0) await SEND[door]();
  };
  const [start, worked] = [performance.now(), processorTime()];
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const timing: DispatcherTiming = {
    requestsPerSecond: (1000 * requests) / (performance.now() - start),
    processor: (1000 * (processorTime() - worked)) / requests,
  };
  parentPort!.postMessage(timing);
});
