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

/** A door, and the number of clients at it, each of which sends its next request when it has its answer. */
export interface Way {
  readonly door: Door;
  readonly inFlight: number;
}

export interface DispatcherTurn extends Way {
  readonly requests: number;
}

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

// Answers each turn with the processor time of this process in microseconds per request. The other threads wait meanwhile, apart from those that compile and
// collect garbage, which is work that the dispatcher causes.
parentPort!.on("message", async ({ requests, door, inFlight }: DispatcherTurn) => {
  let left = requests;
  const client = async () => {
    while (left-- > 0) await SEND[door]();
  };
  const start = processorTime();
  await Promise.all(Array.from({ length: inFlight }, client));
  parentPort!.postMessage((1000 * (processorTime() - start)) / requests);
});
