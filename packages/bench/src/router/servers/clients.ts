import { createRouter } from "@tsallis/router";
import { BalancedPool, type Dispatcher, Pool } from "undici";
import { bestUpstream } from "../worlds/bestUpstream.js";
import type { World } from "../worlds/world.js";

/** undici's dispatcher among the rules. */
export const BALANCED_POOL = "BalancedPool";

/** A way to send requests to real servers. */
export interface Client {
  /** Sends a request and reads the answer, which is the number of the upstream. */
  send(request: number): Promise<number>;
  close(): Promise<void>;
}

/** The servers' addresses, and the milliseconds after which a request fails. */
export interface ClientContext {
  readonly urls: readonly string[];
  readonly timeout: number;
}

/** undici's BalancedPool. It has no timeout of this precision, so a signal ends each request. */
export function balancedPool({ urls, timeout }: ClientContext): Client {
  const dispatcher = new BalancedPool([...urls]);
  return { send: (request) => get(dispatcher, request, AbortSignal.timeout(timeout)), close: () => dispatcher.destroy() };
}

/** Our router as a drop-in replacement for it. */
export function routerClient({ urls, timeout }: ClientContext, seed: number): Client {
  const router = createRouter({ upstreams: urls, timeoutMs: timeout, seed });
  const dispatcher = router.dispatcher();
  return { send: (request) => get(dispatcher, request), close: () => dispatcher.destroy() };
}

/** The yardstick, not a real rule: it sends each request to the upstream whose true mean is the smallest at that moment. */
export function bestClient({ urls, timeout }: ClientContext, world: World): Client {
  const pools = urls.map((url) => new Pool(url));
  const rule = bestUpstream(world);
  return {
    send: (request) => get(pools[rule.choose(request, world.times[request]!)]!, request, AbortSignal.timeout(timeout)),
    async close() {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

async function get(dispatcher: Dispatcher, request: number, signal?: AbortSignal): Promise<number> {
  // These dispatchers ignore the origin: they know where to go.
  const { body } = await dispatcher.request({ origin: "http://upstream", path: `/${request}`, method: "GET", signal });
  return Number(await body.text());
}
