import { once } from "node:events";
import { Readable } from "node:stream";
import { type Dispatcher, request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Answer } from "../src/lossRule.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { answer, type Behaviour, echo, hang, resetInBody, resetInHeaders, type StandIn, stall, standIns, stopAll } from "./standIn.js";
import { sums } from "./sums.js";

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
type Door = (router: Router, path: string, call?: Call) => Promise<Got>;

/** The same request through each door. An error is the one underneath: fetch wraps those of the network. */
const DOORS: Record<string, Door> = {
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

/** A router over two servers that both behave so. */
async function routed(behaviour: Behaviour, options: Partial<RouterOptions> = {}): Promise<{ router: Router; servers: StandIn[] }> {
  const servers = await standIns(behaviour, behaviour);
  const router = createRouter({ upstreams: servers.map(({ url }) => url), seed: 1, timeout: 20, ...options });
  routers.push(router);
  return { router, servers };
}

/** What was learned so far. */
function recent(router: Router) {
  return router.explain().upstreams.flatMap((upstream) => (upstream.recent === null ? [] : [upstream.recent]));
}

afterEach(async () => {
  await Promise.all(routers.splice(0).map((router) => (router.explain().rounds > 0 ? router.dispatcher().destroy() : router.close())));
  await stopAll();
});

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
  it("an answer comes through untouched, and its seconds to the first byte are learned", async () => {
    const { router } = await routed(answer("hello", 201, { "x-mark": "here" }));
    const got = await door(router, "/items?page=2");
    expect(got).toMatchObject({ status: 201, text: "hello", headers: { "x-mark": "here" } });
    expect(sums(router)).toMatchObject({ chosen: 1, done: 1, open: 0 });
    const [losses] = recent(router);
    expect(losses!.p50 > 0 && losses!.p50 < 20).toBe(true);
    expect(losses!.failureShare).toBe(0);
  });

  it("method, path, headers and a streaming body reach the upstream", async () => {
    const { router, servers } = await routed(echo);
    const body = Readable.from(["one ", "two ", "three"].map((text) => Buffer.from(text)));
    const got = await door(router, "/echo?x=%20y", { method: "POST", body, headers: { "x-mark": "m" } });
    expect(got).toMatchObject({ status: 200, text: "one two three", headers: { "x-method": "POST", "x-seen": "m" } });
    const [seen] = servers.flatMap(({ requests }) => requests);
    expect(seen!.url).toBe("/echo?x=%20y");
    expect(servers.map(({ url }) => new URL(url).host)).toContain(seen!.headers.host);
  });

  it("a base path goes before the path", async () => {
    const servers = await standIns(answer("x"), answer("x"));
    const router = createRouter({ upstreams: servers.map(({ url }) => `${url}/v1/`), seed: 1 });
    routers.push(router);
    await door(router, "/items");
    await door(router, "/");
    expect(servers.flatMap(({ requests }) => requests.map(({ url }) => url)).sort()).toEqual(["/v1/", "/v1/items"]);
  });

  it.each([500, 503])("a %i is a failure that costs the penalty, and reaches the caller untouched", async (status) => {
    const { router } = await routed(answer("sorry", status), { penalty: 12 });
    expect(await door(router, "/")).toMatchObject({ status, text: "sorry" });
    expect(sums(router)).toMatchObject({ failed: 1, open: 0 });
    expect(recent(router)).toMatchObject([{ count: 1, p50: 12, failureShare: 1 }]);
  });

  it.each([304, 404, 429])("a %i is an answer like any other", async (status) => {
    const { router } = await routed(answer("", status));
    expect(await door(router, "/")).toMatchObject({ status });
    expect(sums(router)).toMatchObject({ done: 1 });
  });

  it("a refused connection costs the penalty, and its error reaches the caller untouched", async () => {
    const { router, servers } = await routed(answer("x"), { penalty: 12 });
    await Promise.all(servers.map((server) => server.stop()));
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(sums(router)).toMatchObject({ failed: 1, open: 0 });
    expect(recent(router)).toMatchObject([{ p50: 12, failureShare: 1 }]);
  });

  it("a reset within the headers costs the penalty", async () => {
    const { router } = await routed(resetInHeaders, { penalty: 12 });
    await expect(door(router, "/")).rejects.toMatchObject({ code: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET|HPE_/) });
    expect(sums(router)).toMatchObject({ failed: 1 });
    expect(recent(router)).toMatchObject([{ p50: 12 }]);
  });

  it.each([
    ["first-byte", { done: 1, failed: 0 }],
    ["total", { done: 0, failed: 1 }],
  ] as const)("a reset within the body is an error to the caller; with the loss %s it counts as %j", async (loss, counts) => {
    const { router } = await routed(resetInBody, { loss });
    await expect(door(router, "/")).rejects.toBeInstanceOf(Error);
    expect(sums(router)).toMatchObject(counts);
  });

  it("an upstream that hangs is ended by the timeout, and costs no less than what was waited", async () => {
    const { router, servers } = await routed(hang, { timeout: 0.15, penalty: 0 });
    await expect(door(router, "/")).rejects.toMatchObject({ name: "RouterError", code: "ERR_TIMEOUT" });
    expect(sums(router)).toMatchObject({ timedOut: 1, open: 0 });
    const [losses] = recent(router);
    expect(losses!.p50).toBeGreaterThanOrEqual(0.15);
    expect(losses!.failureShare).toBe(1);
    // The connection does not stay behind.
    await Promise.all(servers.flatMap(({ sockets }) => [...sockets].map((socket) => socket.destroyed || once(socket, "close"))));
  });

  it("an upstream that hangs is noticed before its first timeout", async () => {
    const { router, servers } = await routed(answer("x"), { timeout: 900 });
    for (let i = 0; i < 60; i++) await door(router, "/");
    for (const server of servers) server.behaviour = hang;
    while (sums(router).overdue === 0) {
      door(router, "/").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(sums(router)).toMatchObject({ done: 60, timedOut: 0, failed: 0 });
    expect(sums(router).open).toBeGreaterThan(0);
    await router.dispatcher().destroy();
    // Given up, and yet what they had waited has been learned.
    expect(sums(router)).toMatchObject({ done: 60, abandoned: sums(router).chosen - 60, open: 0 });
  });

  it("a timeout costs the penalty if that is more", async () => {
    const { router } = await routed(hang, { timeout: 0.05, penalty: 30 });
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    expect(recent(router)).toMatchObject([{ p50: 30 }]);
  });

  it("a stalled body: the loss total times out, and the caller learns of it", async () => {
    const { router } = await routed(stall, { timeout: 0.15, loss: "total" });
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    expect(sums(router)).toMatchObject({ timedOut: 1, open: 0 });
  });

  it("an abort by the caller teaches nothing", async () => {
    const { router, servers } = await routed(hang);
    const controller = new AbortController();
    const pending = door(router, "/", { signal: controller.signal });
    await Promise.race(servers.map((server) => vanished(() => server.requests.length === 0)));
    const before = router.snapshot().policy;
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
    expect(router.snapshot().policy).toEqual(before);
    expect(sums(router)).toMatchObject({ abandoned: 1, open: 0 });
  });

  it("an abort within the body teaches nothing where the whole is measured", async () => {
    const { router } = await routed(stall, { loss: "total" });
    const controller = new AbortController();
    const pending = door(router, "/", { signal: controller.signal });
    pending.catch(() => {});
    await vanished(() => router.explain().upstreams.every(({ open }) => open === 0));
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toBeInstanceOf(Error);
    await vanished(() => sums(router).open === 1);
    expect(sums(router)).toMatchObject({ abandoned: 1, done: 0 });
  });

  it("an abort before anything is sent teaches nothing", async () => {
    const { router } = await routed(answer("x"));
    await expect(door(router, "/", { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    await vanished(() => sums(router).open === 1);
    expect(sums(router)).toMatchObject({ chosen: 1, abandoned: 1 });
  });

  it("the loss total goes to the end of the body", async () => {
    const gate: (() => void)[] = [];
    const { router } = await routed(
      (_request, response) => {
        response.write("first ");
        gate.push(() => response.end("last"));
      },
      { loss: "total" },
    );
    const pending = door(router, "/");
    await vanished(() => gate.length === 0);
    expect(sums(router)).toMatchObject({ open: 1, done: 0 });
    gate[0]!();
    expect(await pending).toMatchObject({ text: "first last" });
    expect(sums(router)).toMatchObject({ open: 0, done: 1 });
  });

  it("a loss function is told of the answer, and what it says is learned", async () => {
    const answers: Answer[] = [];
    const loss = (told: Answer) => {
      answers.push(told);
      return Number(told.headers["x-cost"]);
    };
    const { router, servers } = await routed(answer("12345", 404, { "x-cost": "0.25" }), { loss });
    await door(router, "/");
    const [told] = answers;
    expect(told).toMatchObject({ status: 404, bytes: 5, headers: { "x-cost": "0.25" } });
    expect(servers.map(({ url }) => url)).toContain(told!.upstream);
    expect(told!.firstByte > 0 && told!.seconds >= told!.firstByte).toBe(true);
    expect(recent(router)).toMatchObject([{ count: 1, p50: 0.25 }]);
  });

  it("a loss function is not asked about a 5xx", async () => {
    const { router } = await routed(answer("x", 500), {
      penalty: 3,
      loss: () => {
        throw new Error("asked");
      },
    });
    await door(router, "/");
    expect(sums(router)).toMatchObject({ failed: 1, refused: 0 });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("planted");
      },
    ],
    ["returns NaN", () => Number.NaN],
    ["returns an infinity", () => Number.POSITIVE_INFINITY],
    ["returns a promise", () => Promise.resolve(1) as never],
    ["returns nothing", () => undefined as never],
    ["returns null", () => null as never],
  ])("a loss function that %s is a counted refusal, and the caller does not notice", async (_, loss) => {
    const { router } = await routed(answer("fine"), { loss });
    const ticket = router.choose();
    const before = router.snapshot().policy;
    ticket.abandoned();
    expect(await door(router, "/")).toMatchObject({ status: 200, text: "fine" });
    expect(sums(router)).toMatchObject({ chosen: 2, refused: 1, open: 0 });
    // Of the policy only the round has moved.
    expect(router.snapshot().policy.state).toEqual(before.state);
  });

  it("a request that can not be sent blames nobody", async () => {
    const { router } = await routed(answer("x"));
    await expect(door(router, "/", { headers: { "bad name": "x" } })).rejects.toBeInstanceOf(Error);
    expect(sums(router)).toMatchObject({ chosen: 1, abandoned: 1 });
  });

  it("a body that fails blames nobody", async () => {
    const { router } = await routed(echo);
    const body = new Readable({
      read() {
        this.destroy(new Error("the disk is gone"));
      },
    });
    await expect(door(router, "/", { method: "POST", body })).rejects.toBeInstanceOf(Error);
    await vanished(() => sums(router).open === 1);
    expect(sums(router)).toMatchObject({ abandoned: 1 });
  });

  it("connections are kept alive", async () => {
    const { router, servers } = await routed(answer("x"), { pool: { connections: 1 } });
    for (let i = 0; i < 20; i++) await door(router, "/");
    expect(servers.reduce((sum, { connections }) => sum + connections, 0)).toBeLessThanOrEqual(2);
    expect(sums(router)).toMatchObject({ done: 20 });
  });

  it("many requests at once are all accounted for", async () => {
    const { router } = await routed(answer("x"));
    const all = await Promise.all(Array.from({ length: 200 }, () => door(router, "/")));
    expect(all.every(({ status, text }) => status === 200 && text === "x")).toBe(true);
    expect(sums(router)).toMatchObject({ chosen: 200, done: 200 });
  });

  it("a closed router refuses", async () => {
    const { router } = await routed(answer("x"));
    await door(router, "/");
    await router.close();
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_CLOSED" });
    expect(sums(router)).toMatchObject({ chosen: 1 });
  });

  it("closing waits for the requests under way", async () => {
    const gate: (() => void)[] = [];
    const { router } = await routed((_request, response) => gate.push(() => response.end("late, but whole")));
    const pending = door(router, "/");
    await vanished(() => gate.length === 0);
    let closed = false;
    const closing = router.close().then(() => {
      closed = true;
    });
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    gate[0]!();
    expect(await pending).toMatchObject({ text: "late, but whole" });
    await closing;
    expect(sums(router)).toMatchObject({ chosen: 1, done: 1 });
  });

  it("destroying ends the requests under way, which teaches nothing", async () => {
    const { router, servers } = await routed(hang);
    const pending = door(router, "/");
    pending.catch(() => {});
    await Promise.race(servers.map((server) => vanished(() => server.requests.length === 0)));
    await router.dispatcher().destroy(new Error("the end"));
    await expect(pending).rejects.toThrow("the end");
    expect(sums(router)).toMatchObject({ abandoned: 1, failed: 0, open: 0 });
  });

  it("destroying also ends a closing that waits", async () => {
    const { router, servers } = await routed(hang);
    const pending = door(router, "/");
    pending.catch(() => {});
    await Promise.race(servers.map((server) => vanished(() => server.requests.length === 0)));
    const closing = router.close();
    await router.dispatcher().destroy();
    await closing;
    await expect(pending).rejects.toBeInstanceOf(Error);
    expect(sums(router)).toMatchObject({ abandoned: 1, open: 0 });
  });

  it("an upstream to which no connection can be made in time is a timeout", async () => {
    // Connections that never come about: the connector does not call back.
    const { router } = await routed(answer("x"), { timeout: 0.1, pool: { connect: () => {} } as never });
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    expect(sums(router)).toMatchObject({ timedOut: 1, open: 0 });
  });

  it("a connection that comes about too late is not used", async () => {
    const late: (() => void)[] = [];
    const { router, servers } = await routed(answer("x"), {
      timeout: 0.1,
      pool: {
        connect: (options, callback) => {
          late.push(() => connector(options, callback));
        },
      },
    });
    const { buildConnector } = await import("undici");
    const connector = buildConnector({});
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    for (const connect of late.splice(0)) connect();
    await vanished(() => servers.every(({ connections }) => connections === 0));
    await new Promise(setImmediate);
    expect(servers.flatMap(({ requests }) => requests)).toEqual([]);
    expect(sums(router)).toMatchObject({ chosen: 1, timedOut: 1 });
  });

  it("all upstreams down: each request fails with its own error, and when one comes back it is found", async () => {
    const { router, servers } = await routed(answer("back"), { timeout: 0.5, seed: 3 });
    await Promise.all(servers.map((server) => server.stop()));
    for (let i = 0; i < 100; i++) await expect(door(router, "/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(sums(router)).toMatchObject({ chosen: 100, failed: 100 });
    for (const { probability } of router.explain().upstreams) expect(Number.isFinite(probability) && probability! > 0).toBe(true);
    await servers[1]!.restart();
    let answered = 0;
    for (let i = 0; i < 300; i++) {
      await door(router, "/").then(
        () => answered++,
        () => {},
      );
    }
    expect(answered).toBeGreaterThan(150);
    expect(router.explain()).toMatchObject({ favourite: servers[1]!.url });
    expect(sums(router)).toMatchObject({ chosen: 400, done: answered, failed: 400 - answered });
  });
});

/** Waits until a condition no longer holds. */
async function vanished(holds: () => boolean): Promise<void> {
  while (holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}
