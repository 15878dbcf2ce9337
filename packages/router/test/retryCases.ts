// Retries on real sockets, for undici 7 and 8.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { RetryEvent } from "../src/http/retryChannel.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { closeAll, DOORS, vanished } from "./doors.js";
import { answer, type Behaviour, echo, hang, resetInBody, resetInHeaders, type StandIn, stall, standIns } from "./standIn.js";
import { sums } from "./sums.js";

const routers: Router[] = [];

/** A router over servers that behave in the given ways. It can pay for every retry. */
async function over(behaviours: readonly Behaviour[], options: Partial<RouterOptions> = {}, below = "") {
  const servers = await standIns(...behaviours);
  const router = createRouter({
    upstreams: servers.map(({ url }) => url + below),
    seed: 1,
    timeoutMs: 20_000,
    retry: { attempts: behaviours.length, budget: 1 },
    ...options,
  });
  routers.push(router);
  return { router, servers };
}

const counts = (servers: readonly StandIn[]) => servers.map(({ requests }) => requests.length);
const total = (servers: readonly StandIn[]) => counts(servers).reduce((a, b) => a + b);

export function retryCases(): void {
  afterEach(async () => {
    await Promise.all(routers.splice(0).map((router) => router.dispatcher().destroy()));
    await closeAll();
  });

  describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
    it.each([
      ["a status of 503", answer("no", 503)],
      ["a status of 429", answer("no", 429, { "retry-after": "1" })],
      ["a reset", resetInHeaders],
    ] as const)("%s is retried elsewhere, and never where it failed", async (_what, failing) => {
      const { router, servers } = await over([failing, answer("x")]);
      for (let i = 0; i < 20; i++) expect(await door(router, "/")).toMatchObject({ status: 200, text: "x" });
      const { chosen, failed, done } = sums(router);
      expect(counts(servers)).toEqual([failed, 20]);
      expect({ chosen, done }).toEqual({ chosen: 20 + failed, done: 20 });
      expect(router.explain().retry).toEqual({
        requests: 20,
        retried: failed,
        notRetried: { method: 0, body: 0, attempts: 0, upstreams: 0, budget: 0 },
      });
      expect(failed).toBeGreaterThan(0);
    });

    it("an upstream is tried once for each request: a hang and a refused connection lead to the third", async () => {
      const { router, servers } = await over([answer("x"), answer("x"), answer("x")], { timeoutMs: 100 });
      // These pay for the retries of those that follow.
      for (let i = 0; i < 6; i++) await door(router, "/");
      servers[0]!.behaviour = hang;
      await servers[2]!.stop();
      for (let i = 0; i < 6; i++) expect(await door(router, "/")).toMatchObject({ status: 200, text: "x" });
      expect(sums(router)).toMatchObject({ done: 12, open: 0 });
      expect(router.explain().retry!.retried).toBeGreaterThan(0);
    });

    it("when every upstream has failed, the last answer reaches the caller untouched", async () => {
      const { router, servers } = await over([answer("no", 503, { "x-own": "kept" }), answer("no", 503, { "x-own": "kept" })]);
      expect(await door(router, "/")).toMatchObject({ status: 503, text: "no", headers: { "x-own": "kept" } });
      expect(counts(servers)).toEqual([1, 1]);
      expect(router.explain().retry!.notRetried).toMatchObject({ attempts: 1 });
    });

    it("when every upstream has failed, the last error reaches the caller", async () => {
      const { router, servers } = await over([answer("x"), answer("x")], { retry: { attempts: 5, budget: 1 } });
      await Promise.all(servers.map((server) => server.stop()));
      await expect(door(router, "/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
      expect(sums(router)).toMatchObject({ failed: 2, open: 0 });
      expect(router.explain().retry!.notRetried).toMatchObject({ upstreams: 1 });
    });

    it("a request that is not idempotent is sent once, unless it is marked", async () => {
      const failing = answer("no", 503);
      const { router, servers } = await over([failing, failing]);
      expect(await door(router, "/", { method: "POST", body: "pay" })).toMatchObject({ status: 503 });
      expect(total(servers)).toBe(1);
      expect(router.explain().retry!.notRetried).toMatchObject({ method: 1 });
      await door(router, "/", { method: "POST", body: "pay", headers: { "Idempotency-Key": "17" } });
      expect(counts(servers)[0]! + counts(servers)[1]!).toBe(3);
    });

    it("a body that can be sent again arrives whole each time; a stream is not retried", async () => {
      const bodies: string[] = [];
      const failing: Behaviour = (request, response) => {
        let text = "";
        request.setEncoding("utf8").on("data", (part) => (text += part));
        request.on("end", () => {
          bodies.push(text);
          response.writeHead(503).end();
        });
      };
      const { router } = await over([failing, failing]);
      const big = "äbc".repeat(50_000);
      await door(router, "/", { method: "PUT", body: big });
      expect(bodies).toEqual([big, big]);
      expect(await door(router, "/", { method: "PUT", body: Readable.from(["once"]) })).toMatchObject({ status: 503 });
      expect(bodies.slice(2)).toEqual(["once"]);
      expect(router.explain().retry!.notRetried).toMatchObject({ body: 1 });
      expect(router.metrics()).toContain('tsallis_router_not_retried_total{reason="body"} 1\n');
    });

    it("nothing is retried after the headers have reached the caller", async () => {
      for (const loss of ["first-byte", "total"] as const) {
        const { router, servers } = await over([resetInBody, resetInBody], { loss });
        await expect(door(router, "/")).rejects.toBeInstanceOf(Error);
        expect(total(servers)).toBe(1);
        expect(router.explain().retry).toMatchObject({ retried: 0 });
      }
    });

    it("only what `when` names is retried", async () => {
      const { router, servers } = await over([answer("no", 500), answer("no", 500)], { retry: { when: [503, "ECONNREFUSED"], budget: 1 } });
      expect(await door(router, "/")).toMatchObject({ status: 500 });
      expect(total(servers)).toBe(1);
      await servers[0]!.stop();
      servers[1]!.behaviour = answer("x");
      for (let i = 0; i < 10; i++) expect(await door(router, "/")).toMatchObject({ status: 200 });
    });

    it("the budget holds to the request", async () => {
      const failing = answer("no", 503);
      const { router, servers } = await over([failing, failing], { retry: { budget: 0.1 } });
      for (let i = 1; i <= 45; i++) {
        await door(router, "/");
        expect(total(servers)).toBe(i + Math.floor(i / 10 + 1e-9));
      }
      expect(router.explain().retry).toMatchObject({ requests: 45, retried: 4, notRetried: { budget: 41, attempts: 4 } });
    });

    it("each upstream has its own base path", async () => {
      const { router, servers } = await over([answer("no", 503), echo], {}, "/base");
      for (let i = 0; i < 5; i++) await door(router, "/deep?x=1", { method: "PUT", body: "y" });
      for (const { requests } of servers) for (const { url } of requests) expect(url).toBe("/base/deep?x=1");
    });

    it("an abort by the caller ends every attempt, and teaches nothing more", async () => {
      const { router, servers } = await over([answer("no", 503), hang]);
      const controller = new AbortController();
      const pending = door(router, "/", { signal: controller.signal });
      await vanished(() => servers[1]!.requests.length === 0);
      controller.abort(new Error("enough"));
      await expect(pending).rejects.toThrow("enough");
      expect(sums(router)).toMatchObject({ abandoned: 1, open: 0 });
      await vanished(() => servers[1]!.requests.some(({ socket }) => !socket.destroyed));
    });

    it("an abort while the second attempt waits for a connection ends the request at once", async () => {
      const { router, servers } = await over([answer("no", 503), stall], { pool: { connections: 1 } });
      // The second one keeps its only connection busy.
      while (servers[1]!.requests.length === 0) {
        door(router, "/").catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const before = sums(router).abandoned;
      const controller = new AbortController();
      const pending = door(router, "/", { signal: controller.signal });
      pending.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.abort(new Error("enough"));
      await expect(pending).rejects.toThrow("enough");
      expect(sums(router).abandoned).toBe(before + 1);
    });

    it("an abort within the body of a failure that was passed on ends it", async () => {
      const half: Behaviour = (_request, response) => {
        response.writeHead(503, { "content-length": "1000" });
        response.write("the first part");
      };
      const { router, servers } = await over([half, half]);
      const controller = new AbortController();
      const pending = door(router, "/", { signal: controller.signal });
      pending.catch(() => {});
      await vanished(() => router.explain().retry!.notRetried.attempts === 0);
      controller.abort(new Error("enough"));
      await expect(pending).rejects.toBeInstanceOf(Error);
      await vanished(() => servers.some(({ requests }) => requests.some(({ socket }) => !socket.destroyed)));
    });

    it("a stream comes through as it comes, with back pressure", async () => {
      const size = 5_000_000;
      const { router } = await over([answer("no", 503), (_request, response) => response.end(Buffer.alloc(size, "z"))]);
      for (let i = 0; i < 3; i++) expect((await door(router, "/")).text.length).toBe(size);
    });
  });

  it("a redirect of the second attempt is followed there", async () => {
    const { router, servers } = await over(
      [
        answer("no", 503),
        (request, response) => {
          if (request.url === "/base/there") response.end("arrived");
          else response.writeHead(302, { location: "there" }).end();
        },
      ],
      {},
      "/base",
    );
    for (let i = 0; i < 5; i++) expect(await (await router.fetch("/here")).text()).toBe("arrived");
    expect(servers[0]!.requests.every(({ url }) => url === "/base/here")).toBe(true);
  });

  it("each try has a line in the log with its own probability, and is published", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tsallis-"));
    const { router } = await over([answer("no", 503), answer("x"), answer("x")], { log: folder, penalty: 3 });
    const events: RetryEvent[] = [];
    const listener = (event: unknown) => events.push(event as RetryEvent);
    subscribe("tsallis:router:retry", listener);
    for (let i = 0; i < 12; i++) await (await router.fetch("/")).text();
    unsubscribe("tsallis:router:retry", listener);
    const failing = router.upstreams[0]!;
    const { failed } = sums(router);
    expect(events).toHaveLength(failed);
    for (const { upstream, next, reason, route } of events) {
      expect({ upstream, reason, route }).toEqual({ upstream: failing, reason: null, route: "default" });
      expect(next).not.toBe(failing);
    }
    await router.close();
    const lines = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    );
    rmSync(folder, { recursive: true });
    expect(lines).toHaveLength(12 + failed);
    const retried = lines.filter(({ as }) => as === "retry");
    expect(retried).toHaveLength(failed);
    // Of the two that are left, so long as nothing is known about them, each is as likely as the other.
    expect(retried[0]).toMatchObject({ probability: 0.5, outcome: "done" });
    for (const { upstream } of retried) expect(upstream).not.toBe(failing);
  });

  it("a closed router retries nothing", async () => {
    const { router, servers } = await over([hang, hang], { timeoutMs: 200 });
    const pending = router.fetch("/");
    await vanished(() => total(servers) === 0);
    const closing = router.close();
    await expect(pending).rejects.toMatchObject({ cause: { code: "ERR_TIMEOUT" } });
    await closing;
    expect(total(servers)).toBe(1);
  });
}
