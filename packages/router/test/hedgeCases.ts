// Hedging on real sockets, for undici 7 and 8. Deadlines are set by hand where a test would otherwise depend on the speed of the machine.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { closeAll, DOORS, vanished } from "./doors.js";
import { answer, type Behaviour, hang, resetInHeaders, type StandIn, standIns } from "./standIn.js";
import { sums } from "./sums.js";

const routers: Router[] = [];

/** What was asked before a test begins; on a busy machine it was late too, and a second attempt may still arrive. */
const BEFORE = "/before";

/** A router that knows how long requests take: they were answered at once. It can pay for every hedge. */
async function learned(options: Partial<RouterOptions> = {}) {
  const servers = await standIns(answer("x"), answer("x"));
  const router = createRouter({ upstreams: servers.map(({ url }) => url), seed: 1, timeoutMs: 20_000, hedge: { budget: 1 }, ...options });
  routers.push(router);
  for (let i = 0; i < 60; i++) await (await router.fetch(BEFORE)).text();
  return { router, servers };
}

/** Lets the upstream that gets the next request behave in one way, and the other one in another. */
function onceThen(servers: readonly StandIn[], first: Behaviour, second: Behaviour): { requests: number } {
  const seen = { requests: 0 };
  for (const server of servers) {
    server.behaviour = (request, response) => {
      if (request.url === BEFORE) return answer("x")(request, response);
      seen.requests++;
      (seen.requests === 1 ? first : second)(request, response);
    };
  }
  return seen;
}

export function hedgeCases(): void {
  afterEach(async () => {
    await Promise.all(routers.splice(0).map((router) => router.dispatcher().destroy()));
    await closeAll();
  });

  describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
    it("a late request is sent elsewhere too; the first answer counts, and the other attempt is aborted", async () => {
      const { router, servers } = await learned();
      const before = sums(router);
      const seen = onceThen(servers, hang, answer("second"));
      expect(await door(router, "/")).toMatchObject({ status: 200, text: "second" });
      expect(seen.requests).toBe(2);
      const { hedged, won } = router.explain().hedge!;
      expect(hedged).toBeGreaterThanOrEqual(1);
      expect(won).toBeGreaterThanOrEqual(1);
      // The one that lost has taught that it takes at least as long as it has waited.
      expect(sums(router)).toMatchObject({ abandoned: before.abandoned + 1, open: 0 });
      expect(sums(router).overdue).toBeGreaterThan(before.overdue);
      await vanished(() =>
        servers.some(({ requests }) => requests.some(({ socket, complete }) => complete && !socket.destroyed && socket.bytesWritten === 0)),
      );
    });

    it("the answer of the first attempt counts if it comes first, although the other was sent", async () => {
      const { router, servers } = await learned();
      let release = () => {};
      const seen = onceThen(
        servers,
        (_request, response) => {
          release = () => response.end("first");
        },
        hang,
      );
      const pending = door(router, "/");
      await vanished(() => seen.requests < 2);
      release();
      expect(await pending).toMatchObject({ text: "first" });
      expect(sums(router).open).toBe(0);
    });

    it.each([
      ["a reset", resetInHeaders],
      ["a 503", answer("no", 503)],
    ] as const)("%s of one attempt leaves it to the other", async (_what, failing) => {
      const { router, servers } = await learned();
      onceThen(servers, hang, failing);
      const pending = door(router, "/");
      pending.catch(() => {});
      await vanished(() => sums(router).failed === 0);
      const controller = router.explain().upstreams.filter(({ open }) => open === 1);
      expect(controller).toHaveLength(1);
    });

    it("what is not idempotent, or has a stream for its body, is never sent twice", async () => {
      const { router, servers } = await learned({ timeoutMs: 300 });
      onceThen(servers, hang, hang);
      await expect(door(router, "/", { method: "POST", body: "pay" })).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
      await expect(door(router, "/", { method: "PUT", body: Readable.from(["once"]) })).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
      const methods = servers.flatMap(({ requests }) => requests.map(({ method }) => method)).filter((method) => method !== "GET");
      expect(methods.sort()).toEqual(["POST", "PUT"]);
    });

    it("an abort ends both attempts", async () => {
      const { router, servers } = await learned();
      const seen = onceThen(servers, hang, hang);
      const controller = new AbortController();
      const pending = door(router, "/", { signal: controller.signal });
      pending.catch(() => {});
      await vanished(() => seen.requests < 2);
      controller.abort(new Error("enough"));
      await expect(pending).rejects.toThrow("enough");
      await vanished(() => sums(router).open > 0);
    });

    it("a timeout of both attempts is retried no further than the upstreams go", async () => {
      const { router, servers } = await learned({ timeoutMs: 300, retry: { budget: 1, attempts: 5 } });
      const seen = onceThen(servers, hang, hang);
      await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
      expect(seen.requests).toBe(2);
      expect(sums(router)).toMatchObject({ timedOut: 2, open: 0 });
    });

    it("a large answer of the second attempt comes through whole", async () => {
      const { router, servers } = await learned();
      onceThen(servers, hang, (_request, response) => response.end(Buffer.alloc(3_000_000, "z")));
      expect((await door(router, "/")).text.length).toBe(3_000_000);
    });
  });

  it("the budget holds to the request, and the log has each attempt", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tsallis-"));
    const { router, servers } = await learned({ hedge: { budget: 0.02 }, log: folder });
    const seen = onceThen(servers, answer("x"), answer("x"));
    for (const server of servers) {
      server.behaviour = (_request, response) => {
        seen.requests++;
        setTimeout(() => response.end("late"), 100);
      };
    }
    for (let i = 61; i <= 180; i++) {
      await (await router.fetch("/")).text();
      const { hedged, requests } = router.explain().hedge!;
      expect(requests).toBe(i);
      expect(hedged).toBeLessThanOrEqual(Math.floor(0.02 * i + 1e-9));
    }
    const { hedged } = router.explain().hedge!;
    expect(seen.requests).toBeLessThanOrEqual(120 + hedged);
    await router.close();
    const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
    rmSync(folder, { recursive: true });
    const attempts = lines.map((line) => JSON.parse(line)).filter(({ as }) => as === "hedge");
    expect(attempts).toHaveLength(hedged);
    // Of two upstreams, one had been tried.
    for (const { probability } of attempts) expect(probability).toBe(1);
  });
}
