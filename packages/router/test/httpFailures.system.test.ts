// Requests that fail or take too long, through each door.
import { once } from "node:events";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { closeAll, DOORS, recent, routed, vanished } from "./doors.js";
import { answer, echo, hang, resetInBody, resetInHeaders, stall } from "./standIn.js";
import { sums } from "./sums.js";

afterEach(closeAll);

/** A clock on which the first choice has waited almost so many seconds as soon as it is made. */
function almost(seconds: number): () => number {
  let asked = false;
  return () => {
    if (asked) return performance.now() / 1000;
    asked = true;
    return performance.now() / 1000 - seconds + 0.05;
  };
}

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
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

  it("the timeout ends a request to an upstream that hangs, which costs no less than the time waited", async () => {
    const { router, servers } = await routed(hang, { timeoutMs: 150, penalty: 0 });
    await expect(door(router, "/")).rejects.toMatchObject({ name: "RouterError", code: "ERR_TIMEOUT" });
    expect(sums(router)).toMatchObject({ timedOut: 1, open: 0 });
    const [losses] = recent(router);
    expect(losses!.p50).toBeGreaterThanOrEqual(0.15);
    expect(losses!.failureShare).toBe(1);
    // The connection is not left open.
    await Promise.all(servers.flatMap(({ sockets }) => [...sockets].map((socket) => socket.destroyed || once(socket, "close"))));
  });

  it("without a timeout, a request of more than 30 seconds counts as timed out, and its caller still gets the answer", async () => {
    const gate: (() => void)[] = [];
    const { router } = await routed((_request, response) => gate.push(() => response.end("at last")), {
      timeoutMs: undefined as never,
      clockSeconds: almost(30),
    });
    const pending = door(router, "/");
    await vanished(() => sums(router).timedOut === 0);
    expect(recent(router)).toMatchObject([{ count: 1, failureShare: 1 }]);
    expect(recent(router)[0]!.p50).toBeGreaterThanOrEqual(30);
    await vanished(() => gate.length === 0);
    gate[0]!();
    expect(await pending).toMatchObject({ status: 200, text: "at last" });
    expect(sums(router)).toMatchObject({ chosen: 1, timedOut: 1, done: 0, repeated: 0 });
  });

  it("an upstream that hangs is noticed before its first timeout", async () => {
    const { router, servers } = await routed(answer("x"), { timeoutMs: 900_000 });
    for (let i = 0; i < 60; i++) await door(router, "/");
    for (const server of servers) server.behaviour = hang;
    while (sums(router).overdue === 0) {
      door(router, "/").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(sums(router)).toMatchObject({ done: 60, timedOut: 0, failed: 0 });
    expect(sums(router).open).toBeGreaterThan(0);
    await router.dispatcher().destroy();
    // The caller gave them up, yet the time that they had waited has been learned.
    expect(sums(router)).toMatchObject({ done: 60, abandoned: sums(router).chosen - 60, open: 0 });
  });

  it("a timeout costs the penalty if that is more", async () => {
    const { router } = await routed(hang, { timeoutMs: 50, penalty: 30 });
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    expect(recent(router)).toMatchObject([{ p50: 30 }]);
  });

  it("a stalled body: the loss total times out, and the caller learns of it", async () => {
    const { router } = await routed(stall, { timeoutMs: 150, loss: "total" });
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    expect(sums(router)).toMatchObject({ timedOut: 1, open: 0 });
  });

  it("an upstream to which no connection can be made in time is a timeout", async () => {
    // The connector never calls back, so no connection is ever made.
    const { router } = await routed(answer("x"), { timeoutMs: 100, pool: { connect: () => {} } as never });
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    expect(sums(router)).toMatchObject({ timedOut: 1, open: 0 });
  });

  it("a connection that is made too late is not used", async () => {
    const late: (() => void)[] = [];
    const { router, servers } = await routed(answer("x"), {
      timeoutMs: 100,
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

  it("a request that cannot be sent blames nobody", async () => {
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

  it("with all upstreams down, each request fails with its own error, and an upstream that comes back is found", async () => {
    const { router, servers } = await routed(answer("back"), { timeoutMs: 10_000, seed: 3 });
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

describe("without a timeout", () => {
  it.each([
    ["headersTimeout", hang, "UND_ERR_HEADERS_TIMEOUT", { failed: 1 }],
    ["bodyTimeout", stall, "UND_ERR_BODY_TIMEOUT", { done: 1 }],
  ] as const)("the caller's %s ends the request", async (option, behaviour, code, counts) => {
    const { router } = await routed(behaviour, { timeoutMs: undefined as never });
    const { router: strict } = await routed(behaviour, { timeoutMs: undefined as never, pool: { [option]: 60 } });
    const asked = async (from: typeof router, options: object) => {
      const { body } = await from.dispatcher().request({ path: "/", method: "GET", ...options });
      return body.text();
    };
    await expect(asked(router, { [option]: 60 })).rejects.toMatchObject({ code });
    await expect(asked(strict, {})).rejects.toMatchObject({ code });
    expect(sums(router)).toMatchObject(counts);
    expect(sums(strict)).toMatchObject(counts);
  });

  it("a request that its caller has aborted while it waits for a connection is abandoned after 30 seconds", async () => {
    const { router } = await routed(answer("x"), { timeoutMs: undefined as never, clockSeconds: almost(30), pool: { connect: () => {} } as never });
    router
      .dispatcher()
      .request({ path: "/", method: "GET", signal: AbortSignal.abort() })
      .catch(() => {});
    await vanished(() => sums(router).open > 0);
    expect(sums(router)).toMatchObject({ chosen: 1, abandoned: 1, timedOut: 0 });
  });
});
