import type { Readable } from "node:stream";
import { type Dispatcher, request } from "undici";
import { until } from "../../../test/until.js";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { type Behaviour, type StandIn, standIns, stopAll } from "./standIn.js";

interface Call {
  readonly method?: string;
  readonly body?: Readable | string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}
interface Got {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}
export type Door = (router: Router, path: string, call?: Call) => Promise<Got>;

/** Sends the same request through each door. Errors are the underlying ones: fetch wraps those of the network. */
export const DOORS: Record<string, Door> = {
  async fetch(router, path, call = {}) {
    try {
      const response = await router.fetch(path, { ...call, ...(call.body && { duplex: "half" }) } as never);
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
    } catch (error) {
      throw error instanceof TypeError && error.cause !== undefined ? error.cause : error;
    }
  },

  async request(router, path, call = {}) {
    const { statusCode, headers, body } = await request(`http://anything.invalid${path}`, { ...call, dispatcher: router.dispatcher() } as never);
    return { status: statusCode, headers, text: await body.text() };
  },

  /** A handler of undici 7's own kind. */
  handler: (router, path, { method = "GET", body, headers, signal } = {}) =>
    new Promise((resolve, reject) => {
      const got = { status: 0, headers: {}, text: "" };
      let controller: Dispatcher.DispatchController;
      const abort = () => controller?.abort(signal!.reason);
      signal?.addEventListener("abort", abort);
      router
        .dispatcher()
        .dispatch({ path, method, ...(body && { body }), ...(headers && { headers }), ...(signal && { signal }) } as Dispatcher.DispatchOptions, {
          onRequestStart(started) {
            controller = started;
            if (signal?.aborted) abort();
          },
          onResponseStart(_controller, status, responseHeaders) {
            Object.assign(got, { status, headers: responseHeaders });
          },
          onResponseData(_controller, chunk) {
            got.text += chunk;
          },
          onResponseEnd: () => resolve(got),
          onResponseError: (_controller, error) => reject(error),
        });
    }),
};

const routers: Router[] = [];

/** A router over two servers that both behave in the given way, with a base path. */
export async function routed(
  behaviour: Behaviour,
  options: Partial<RouterOptions> = {},
  below = "",
): Promise<{ router: Router; servers: StandIn[] }> {
  const servers = await standIns(behaviour, behaviour);
  const router = createRouter({ upstreams: servers.map(({ url }) => url + below), seed: 1, timeoutMs: 20_000, ...options });
  routers.push(router);
  return { router, servers };
}

/** What has been learned so far. */
export function recent(router: Router) {
  return router.explain().upstreams.flatMap((upstream) => (upstream.recent === null ? [] : [upstream.recent]));
}

/** For afterEach. */
export async function closeAll(): Promise<void> {
  await Promise.all(routers.splice(0).map((router) => (router.explain().rounds > 0 ? router.dispatcher().destroy() : router.close())));
  await stopAll();
}

/** Waits until a condition no longer holds. */
export async function vanished(holds: () => boolean): Promise<void> {
  await until(`not ${holds}`, () => !holds());
}
