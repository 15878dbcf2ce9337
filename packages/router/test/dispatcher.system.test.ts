import { once } from "node:events";
import type { Duplex } from "node:stream";
import * as undici from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../../test/until.js";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { noting } from "./dropInRequests.js";
import { answer, hang, type StandIn, standIns, stopAll } from "./standIn.js";
import { sums } from "./sums.js";

const routers: Router[] = [];

function over(servers: StandIn[], options: Partial<RouterOptions> = {}): Router {
  const router = createRouter({ upstreams: servers.map(({ url }) => url), seed: 1, timeoutMs: 20_000, ...options });
  routers.push(router);
  return router;
}

afterEach(async () => {
  await Promise.all(routers.splice(0).map((router) => router.dispatcher().destroy()));
  await stopAll();
});

describe("the dispatcher", () => {
  it("is the same one each time, and an undici Dispatcher", async () => {
    const router = over(await standIns(answer("x"), answer("x")));
    expect(router.dispatcher()).toBe(router.dispatcher());
    expect(router.dispatcher()).toBeInstanceOf(undici.Dispatcher);
  });

  it("serves as global dispatcher for undici and for Node's own fetch, whatever the origin", async () => {
    const router = over(await standIns(answer("x"), answer("x")));
    const before = undici.getGlobalDispatcher();
    undici.setGlobalDispatcher(router.dispatcher());
    try {
      expect(await (await undici.fetch("http://anything.invalid/a")).text()).toBe("x");
      expect(await (await globalThis.fetch("http://anything.invalid/b")).text()).toBe("x");
      expect(await (await undici.request("http://anything.invalid/c")).body.text()).toBe("x");
    } finally {
      undici.setGlobalDispatcher(before);
    }
    expect(sums(router)).toMatchObject({ chosen: 3, done: 3 });
  });

  it("ignores the origin, as BalancedPool does", async () => {
    const servers = await standIns(answer("x"), answer("x"));
    const balanced = new undici.BalancedPool(servers.map(({ url }) => url));
    const router = over(servers);
    for (const dispatcher of [balanced, router.dispatcher()]) {
      const { body } = await dispatcher.request({ origin: "http://anything.invalid", path: "/x", method: "GET" });
      expect(await body.text()).toBe("x");
    }
    await balanced.close();
    const hosts = servers.flatMap(({ requests }) => requests.map(({ headers }) => headers.host));
    expect(hosts).toHaveLength(2);
    for (const host of hosts) expect(servers.map(({ url }) => new URL(url).host)).toContain(host);
  });

  it("has undici's other calls: stream, pipeline, upgrade", async () => {
    const router = over(await standIns(answer("streamed"), answer("streamed")), { loss: "total" });
    const dispatcher = router.dispatcher();
    const { PassThrough } = await import("node:stream");
    const sink = new PassThrough();
    const text = sink.setEncoding("utf8").toArray();
    await dispatcher.stream({ path: "/", method: "GET" }, () => sink);
    expect((await text).join("")).toBe("streamed");
    const piped = dispatcher.pipeline({ path: "/", method: "GET" }, ({ body }) => body).end();
    expect((await piped.setEncoding("utf8").toArray()).join("")).toBe("streamed");
    const { socket } = (await dispatcher.upgrade({ path: "/", protocol: "echo" })) as { socket: Duplex };
    socket.write("over the raw connection");
    const [echoed] = (await once(socket, "data")) as [Buffer];
    expect(String(echoed)).toBe("over the raw connection");
    socket.destroy();
    expect(sums(router)).toMatchObject({ chosen: 3, done: 3, open: 0 });
  });

  it("also upgrades with handlers of undici 7's own kind", async () => {
    const router = over(await standIns(answer("x"), answer("x")));
    const socket = await new Promise<Duplex>((resolve, reject) => {
      router.dispatcher().dispatch(
        { path: "/", method: "GET", upgrade: "echo" },
        {
          onRequestStart() {},
          onRequestUpgrade: (_controller, status, headers, raw) => (status === 101 && headers.upgrade === "echo" ? resolve(raw) : reject(status)),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
    socket.destroy();
    expect(sums(router)).toMatchObject({ chosen: 1, done: 1 });
  });

  it("does not take an informational answer for the answer", async () => {
    const servers = await standIns(answer("x"), answer("x"));
    for (const server of servers) {
      server.behaviour = (_request, response) => {
        response.writeEarlyHints({ link: "</style.css>; rel=preload; as=style" });
        setImmediate(() => response.writeHead(500).end("after all"));
      };
    }
    const router = over(servers);
    const hints: number[] = [];
    const { statusCode, body } = await router
      .dispatcher()
      .request({ path: "/", method: "GET", onInfo: ({ statusCode: early }) => hints.push(early) });
    await body.dump();
    expect([hints, statusCode]).toEqual([[103], 500]);
    expect(sums(router)).toMatchObject({ chosen: 1, failed: 1, done: 0 });
  });

  it("works under undici's interceptors: a retry is another choice", async () => {
    const servers = await standIns(answer("sorry", 503), answer("sorry", 503));
    const router = over(servers);
    const retrying = router.dispatcher().compose(undici.interceptors.retry({ maxRetries: 2, minTimeout: 1, maxTimeout: 1, statusCodes: [503] }));
    await expect(retrying.request({ path: "/", method: "GET" })).rejects.toThrow();
    expect(sums(router)).toMatchObject({ chosen: 3, failed: 3, open: 0 });
    for (const server of servers) server.behaviour = answer("fine");
    expect(await (await retrying.request({ path: "/", method: "GET" })).body.text()).toBe("fine");
    expect(sums(router)).toMatchObject({ chosen: 4, done: 1 });
  });

  it("says when all its pools are busy, and when one is free again", async () => {
    const gate: (() => void)[] = [];
    const servers = await standIns(hang, hang);
    for (const server of servers) server.behaviour = (_request, response) => gate.push(() => response.end("x"));
    const router = over(servers, { pool: { connections: 1 }, policy: { policy: "uniform" } });
    const dispatcher = router.dispatcher();
    const ends: Promise<void>[] = [];
    const send = () => {
      let free = true;
      ends.push(
        new Promise((resolve, reject) => {
          free = dispatcher.dispatch(
            { path: "/", method: "GET" },
            { onRequestStart() {}, onResponseEnd: () => resolve(), onResponseError: (_controller, error) => reject(error) },
          );
        }),
      );
      return free;
    };
    expect(send()).toBe(true);
    let sent = 1;
    for (; sent < 50 && send(); sent++);
    expect(sent).toBeLessThan(50);
    const drained = once(dispatcher, "drain");
    const opening = setInterval(() => gate.splice(0).forEach((open) => void open()), 1);
    await drained;
    await Promise.all(ends);
    clearInterval(opening);
    expect(send()).toBe(true);
    ends.at(-1)!.catch(() => {});
    expect(sums(router)).toMatchObject({ chosen: sent + 2, done: sent + 1 });
  });

  it("says that one is free when an upstream is added while all are busy", async () => {
    const [busy, idle] = await standIns(hang, answer("x"));
    const router = over([busy!], { pool: { connections: 1 } });
    const dispatcher = router.dispatcher();
    const send = () => dispatcher.dispatch({ path: "/", method: "GET" }, { onRequestStart() {}, onResponseError() {} });
    while (send());
    const drained = once(dispatcher, "drain");
    router.add(idle!.url);
    const [origin, targets] = await drained;
    expect([origin.origin, targets[0] === dispatcher, targets[1] === dispatcher.getUpstream(idle!.url)]).toEqual([idle!.url, true, true]);
  });

  it("passes on its pools' events about connections", async () => {
    const servers = await standIns(answer("x"), answer("x"));
    const router = over(servers);
    const dispatcher = router.dispatcher();
    const connected = once(dispatcher, "connect");
    await (await dispatcher.request({ path: "/", method: "GET" })).body.dump();
    const [origin, targets] = await connected;
    expect(servers.map(({ url }) => url)).toContain((origin as URL).origin);
    expect(targets[0]).toBe(dispatcher);
    const failed = once(dispatcher, "connectionError");
    const closed = once(dispatcher, "disconnect");
    await Promise.all(servers.map((server) => server.stop()));
    await closed;
    await expect(dispatcher.request({ path: "/", method: "GET" })).rejects.toThrow();
    expect((await failed)[2]).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("closes the router, as a promise or with a callback", async () => {
    const servers = await standIns(answer("x"), answer("x"));
    const [first, second, third] = [over(servers), over(servers), over(servers)];
    await first.dispatcher().close();
    await new Promise<void>((resolve) => second.dispatcher().close(() => resolve()));
    await new Promise<void>((resolve) => third.dispatcher().destroy(() => resolve()));
    for (const router of [first, second, third]) expect(() => router.choose()).toThrow(expect.objectContaining({ code: "ERR_CLOSED" }));
  });

  it.each(["older", "own"])("reports a timeout once to a handler of undici 7's %s kind, though the connection fails later", async (kind) => {
    const late: (() => void)[] = [];
    const connect = (_options: unknown, callback: (error: Error, socket: null) => void) => late.push(() => callback(new Error("too late"), null));
    const router = over(await standIns(answer("x"), answer("x")), { timeoutMs: 50, pool: { connect } as never });
    const told: Error[] = [];
    await new Promise<void>((resolve) => {
      const tell = (error: Error) => {
        told.push(error);
        resolve();
      };
      const older = { onConnect() {}, onHeaders: () => true, onData: () => true, onComplete() {}, onError: tell };
      const own = { onRequestStart() {}, onResponseError: (_controller: unknown, error: Error) => tell(error) };
      router.dispatcher().dispatch({ path: "/", method: "GET" }, kind === "own" ? own : older);
    });
    const failed = once(router.dispatcher(), "connectionError");
    for (const fail of late) fail();
    await failed;
    await new Promise(setImmediate);
    expect(told).toMatchObject([{ code: "ERR_TIMEOUT" }]);
    expect(sums(router)).toMatchObject({ chosen: 1, timedOut: 1, failed: 0 });
  });

  it.each(["older", "own"])("learns nothing if a handler of undici 7's %s kind aborts without a signal", async (kind) => {
    const servers = await standIns(hang, hang);
    const router = over(servers);
    let abort = (_reason: Error) => {};
    const ended = new Promise<Error>((resolve) => {
      const older = {
        onConnect: (given: (reason?: Error) => void) => {
          abort = given;
        },
        onHeaders: () => true,
        onData: () => true,
        onComplete() {},
        onError: resolve,
      };
      const own = {
        onRequestStart: (controller: undici.Dispatcher.DispatchController) => {
          abort = (reason) => controller.abort(reason);
        },
        onResponseError: (_controller: unknown, error: Error) => resolve(error),
      };
      router.dispatcher().dispatch({ path: "/", method: "GET" }, kind === "own" ? own : older);
    });
    await until("a server is asked", () => servers.some(({ requests }) => requests.length > 0));
    abort(new Error("enough"));
    expect((await ended).message).toBe("enough");
    expect(sums(router)).toMatchObject({ chosen: 1, abandoned: 1 });
  });

  it.each([
    ["own", "onRequestStart", "abandoned"],
    ["own", "onResponseStart", "abandoned"],
    ["own", "onResponseData", "abandoned"],
    ["own", "onResponseEnd", "done"],
    ["older", "onConnect", "abandoned"],
    ["older", "onRequestSent", "abandoned"],
    ["older", "onBodySent", "abandoned"],
    ["older", "onHeaders", "abandoned"],
    ["older", "onData", "abandoned"],
    ["older", "onComplete", "done"],
  ] as const)("does not blame the upstream for a handler of the %s kind that throws in %s", async (kind, throwIn, counted) => {
    const router = over(await standIns(answer("x"), answer("x")), { loss: "total" });
    const { handler, ended } = noting(kind, [], { throwIn });
    router.dispatcher().dispatch({ path: "/", method: "POST", body: "body" }, handler);
    await ended;
    expect(sums(router)).toMatchObject({ chosen: 1, [counted]: 1, failed: 0, open: 0 });
  });

  it("counts what the upstream did before the handler threw", async () => {
    for (const [status, counted] of [
      [200, "done"],
      [500, "failed"],
    ] as const) {
      const router = over(await standIns(answer("x", status), answer("x", status)));
      const { handler, ended } = noting("own", [], { throwIn: "onResponseStart" });
      router.dispatcher().dispatch({ path: "/", method: "GET" }, handler);
      await ended;
      expect(sums(router)).toMatchObject({ chosen: 1, [counted]: 1, open: 0 });
    }
  });

  it("refuses invalid handlers and requests, as undici does", async () => {
    const router = over(await standIns(answer("x"), answer("x")));
    for (const handler of [undefined, null, 1]) {
      expect(() => router.dispatcher().dispatch({ path: "/", method: "GET" }, handler as never)).toThrow(undici.errors.InvalidArgumentError);
    }
    for (const request of [undefined, null, 1]) {
      const error = new Promise((resolve) =>
        router.dispatcher().dispatch(request as never, { onRequestStart() {}, onResponseError: (_controller, told) => resolve(told) }),
      );
      expect(await error).toBeInstanceOf(undici.errors.InvalidArgumentError);
    }
    expect(router.explain().rounds).toBe(0);
  });

  it("blames nobody for a handler that undici refuses", async () => {
    const router = over(await standIns(answer("x"), answer("x")));
    expect(() => router.dispatcher().dispatch({ path: "/", method: "GET" }, {})).toThrow(undici.errors.InvalidArgumentError);
    expect(sums(router)).toMatchObject({ chosen: 1, abandoned: 1, open: 0 });
  });

  it("shares one pool between upstreams of one origin", async () => {
    const [server] = await standIns(answer("x"));
    const router = over([], { upstreams: [`${server!.url}/a`, `${server!.url}/b`], pool: { connections: 1 }, policy: { policy: "uniform" } });
    for (let i = 0; i < 20; i++) await (await router.fetch("/")).text();
    expect([server!.connections, new Set(server!.requests.map(({ url }) => url)).size]).toEqual([1, 2]);
  });

  it("adds and removes upstreams as BalancedPool does, and refuses requests at once while there is none", async () => {
    const [first, second, third] = (await standIns(answer("x"), answer("x"), answer("x"))) as [StandIn, StandIn, StandIn];
    const router = over([first], { policy: { policy: "uniform" } });
    const balanced = new undici.BalancedPool([first.url]);
    for (const dispatcher of [balanced, router.dispatcher()]) {
      expect(dispatcher.addUpstream(second.url)).toBe(dispatcher);
      expect(dispatcher.addUpstream(second.url)).toBe(dispatcher);
      expect(dispatcher.addUpstream(new URL(third.url))).toBe(dispatcher);
      expect(dispatcher.upstreams).toEqual([first.url, second.url, third.url]);
      expect(dispatcher.getUpstream(second.url)).toBeInstanceOf(undici.Pool);
      expect(dispatcher.removeUpstream(first.url)).toBe(dispatcher);
      expect(dispatcher.removeUpstream(first.url)).toBe(dispatcher);
      expect(dispatcher.upstreams).toEqual([second.url, third.url]);
      expect(dispatcher.getUpstream(first.url)).toBeUndefined();
    }
    for (let i = 0; i < 20; i++) await (await router.dispatcher().request({ path: "/", method: "GET" })).body.dump();
    expect([first.requests.length, second.requests.length > 0, third.requests.length > 0]).toEqual([0, true, true]);
    expect(router.upstreams).toEqual([second.url, third.url]);
    await balanced.close();
    router.dispatcher().removeUpstream(second.url);
    router.dispatcher().removeUpstream(third.url);
    await expect(router.dispatcher().request({ path: "/", method: "GET" })).rejects.toMatchObject({ code: "UND_ERR_BPL_MISSING_UPSTREAM" });
    await expect(router.fetch("/")).rejects.toMatchObject({ code: "ERR_UPSTREAMS", message: "there is no upstream to choose; add one first" });
    await router.close();
    expect(() => router.dispatcher().addUpstream(second.url)).toThrow(expect.objectContaining({ code: "ERR_CLOSED" }));
  });

  it("of a router that has been closed before is closed too", async () => {
    const router = over(await standIns(answer("x"), answer("x")));
    await router.close();
    await expect(router.dispatcher().request({ path: "/", method: "GET" })).rejects.toMatchObject({
      code: expect.stringMatching(/UND_ERR_(CLOSED|DESTROYED)/),
    });
    await expect(router.fetch("/")).rejects.toMatchObject({ name: "TypeError", cause: { code: "UND_ERR_DESTROYED" } });
  });
});

describe("fetch", () => {
  it("knows where its answer comes from", async () => {
    const servers = await standIns(answer("x"), answer("x"));
    const router = over(servers);
    const response = await router.fetch("/where?q=1");
    expect(servers.map(({ url }) => `${url}/where?q=1`)).toContain(response.url);
    await response.text();
  });

  it("follows a redirect within the upstream without choosing again", async () => {
    const servers = await standIns(answer("x"), answer("x"));
    for (const server of servers) {
      server.behaviour = (request, response) => {
        if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
        else response.end(server.url);
      };
    }
    const router = over(servers);
    const response = await router.fetch("/old");
    expect(response.redirected).toBe(true);
    expect(response.url).toBe(`${await response.text()}/new`);
    expect(sums(router)).toMatchObject({ chosen: 1, done: 1 });
  });

  it("follows a redirect to another place, and does not blame the upstream for what happens there", async () => {
    const [elsewhere] = await standIns(answer("elsewhere", 500));
    const router = over(await standIns(...[1, 2].map(() => answer("", 307, { location: `${elsewhere!.url}/there` }))));
    const response = await router.fetch("/");
    expect([response.status, response.url, await response.text()]).toEqual([500, `${elsewhere!.url}/there`, "elsewhere"]);
    expect(sums(router)).toMatchObject({ chosen: 1, done: 1, failed: 0 });
    await router.close();
  });

  it("streams: the first part of a body is there before the last", async () => {
    const gate: (() => void)[] = [];
    const servers = await standIns(hang, hang);
    for (const server of servers) {
      server.behaviour = (_request, response) => {
        response.write("first");
        gate.push(() => response.end(" last"));
      };
    }
    const response = await over(servers).fetch("/");
    const reader = response.body!.getReader();
    expect(String(Buffer.from((await reader.read()).value!))).toBe("first");
    gate[0]!();
    expect(String(Buffer.from((await reader.read()).value!))).toBe(" last");
    expect((await reader.read()).done).toBe(true);
  });

  it("teaches nothing if the caller gives up while it connects", async () => {
    const router = over(await standIns(answer("x"), answer("x")), { pool: { connect: () => {} } as never });
    const controller = new AbortController();
    const pending = router.fetch("/", { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    expect(sums(router)).toMatchObject({ chosen: 1, abandoned: 1, open: 0 });
  });
});
